import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import type { Insiders } from "./expected-insiders.ts";
import type { ExpectedRow } from "./row-differences.ts";

const zero = `0x${"0".repeat(40)}`;
const burnAddress = "0x000000000000000000000000000000000000dead";

export type ExpectedHolder = {
  token: Address;
  account: Address;
  balance: bigint;
  kind: "account" | "launchpad" | "pair" | "burn";
};

export type Holdings = {
  holders: ExpectedHolder[];
  of(token: Address, account: Address): ExpectedHolder | undefined;
  /** The token's total supply in base units. */
  supplyOf(token: Address): bigint;
  /** The balances of the launchpad, the pair and burn addresses. */
  notCirculating(token: Address): bigint[];
};

/** Computes holdings from the transfers of the given tokens. Accounts with only zero-value transfers are no holders. */
export function replayTransfers(
  events: ChainEvent[],
  { tokens, launchpad }: { tokens: Set<Address>; launchpad: Address },
): Holdings {
  const holders = new Map<string, ExpectedHolder>();
  const supplies = new Map<Address, bigint>();
  const holderOf = (token: Address, account: Address) => {
    const key = `${token} ${account}`;
    const holder = holders.get(key) ?? { token, account, balance: 0n, kind: kindOf(account, launchpad) };
    holders.set(key, holder);
    return holder;
  };

  for (const { name, args, emitter } of events) {
    if (name === "Graduated" && emitter === launchpad) holderOf(args.token, args.pair).kind = "pair";
    if (name !== "Transfer" || !tokens.has(emitter) || args.value === 0n) continue;
    const { from, to, value } = args;
    if (from !== zero) holderOf(emitter, from).balance -= value;
    if (to !== zero) holderOf(emitter, to).balance += value;
    const minted = (from === zero ? value : 0n) - (to === zero ? value : 0n);
    supplies.set(emitter, (supplies.get(emitter) ?? 0n) + minted);
  }
  return {
    holders: [...holders.values()],
    of: (token, account) => holders.get(`${token} ${account}`),
    supplyOf: (token) => supplies.get(token) ?? 0n,
    notCirculating: (token) =>
      [...holders.values()].flatMap((holder) =>
        holder.token === token && holder.kind !== "account" ? [holder.balance] : [],
      ),
  };
}

export function holderRow(
  { token, account, balance, kind }: ExpectedHolder,
  { insiders, earlyBlocks }: { insiders: Map<Address, Insiders>; earlyBlocks: Map<string, number> },
): ExpectedRow {
  const hops = insiders.get(token)?.hops.get(account) ?? null;
  const early = earlyBlocks.get(`${token} ${account}`) ?? null;
  return { token, account, balance_raw: balance, kind, insider_hops: hops, early_block: early };
}

function kindOf(account: Address, launchpad: Address): ExpectedHolder["kind"] {
  if (account === launchpad) return "launchpad";
  return account === burnAddress ? "burn" : "account";
}
