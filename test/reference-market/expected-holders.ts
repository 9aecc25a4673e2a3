import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import type { Insiders } from "./expected-insiders.ts";
import type { ExpectedRow } from "./row-differences.ts";

const zero = `0x${"0".repeat(40)}`;
const daySeconds = 86_400n;
const burnAddress = "0x000000000000000000000000000000000000dead";

export type ExpectedHolder = {
  token: Address;
  account: Address;
  balance: bigint;
  /** The balance at the end of each day on which it changed, by the number of days since 1970, in order. */
  byDay: Map<number, bigint>;
  /** When it last changed, in seconds. */
  changedAt: bigint;
  /** When it last became 0, or more than 0 again. */
  turnedAt?: bigint;
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
  const holderOf = (token: Address, account: Address, changedAt: bigint) => {
    const key = `${token} ${account}`;
    const kind = kindOf(account, launchpad);
    const empty: ExpectedHolder = { token, account, balance: 0n, byDay: new Map(), changedAt, kind };
    const holder = holders.get(key) ?? empty;
    holders.set(key, holder);
    return holder;
  };

  const note = (holder: ExpectedHolder, timestamp: bigint) => {
    holder.byDay.set(Number(timestamp / daySeconds), holder.balance);
    holder.changedAt = timestamp;
  };

  for (const { name, args, emitter, timestamp } of events) {
    if (name === "Graduated" && emitter === launchpad) {
      const pair = holderOf(args.token, args.pair, timestamp);
      if (pair.kind === "account" && pair.byDay.size > 0) note(pair, timestamp);
      pair.kind = "pair";
    }
    if (name !== "Transfer" || !tokens.has(emitter) || args.value === 0n) continue;
    const { from, to, value } = args;
    const move = (account: Address, change: bigint) => {
      const holder = holderOf(emitter, account, timestamp);
      const wasEmpty = holder.balance === 0n;
      holder.balance += change;
      if (from !== to && holder.byDay.size > 0 && wasEmpty !== (holder.balance === 0n))
        holder.turnedAt = timestamp;
      note(holder, timestamp);
    };
    if (from !== zero) move(from, -value);
    if (to !== zero) move(to, value);
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
  { token, account, balance, kind, changedAt }: ExpectedHolder,
  { insiders, earlyBlocks }: { insiders: Map<Address, Insiders>; earlyBlocks: Map<string, number> },
): ExpectedRow {
  const hops = insiders.get(token)?.hops.get(account) ?? null;
  const early = earlyBlocks.get(`${token} ${account}`) ?? null;
  const columns = { insider_hops: hops, early_block: early, changed_at: changedAt };
  return { token, account, balance_raw: balance, kind, ...columns };
}

/** The balances that days ended with, without those that are current or 0. */
export function pastBalanceRows({ token, account, byDay }: ExpectedHolder): ExpectedRow[] {
  return [...byDay].flatMap(([day, balance], index, days) => {
    const until = days[index + 1]?.[0];
    if (until === undefined || balance === 0n) return [];
    return [{ token, account, from_day: day, until_day: until, balance_raw: balance }];
  });
}

function kindOf(account: Address, launchpad: Address): ExpectedHolder["kind"] {
  if (account === launchpad) return "launchpad";
  return account === burnAddress ? "burn" : "account";
}
