import { holder } from "ponder:schema";
import { addAmount } from "../curve/amounts.ts";
import { addToRecord, ensureAccount } from "./account.ts";
import { type Address, type EntityContext, type EventPosition, launchpadOf } from "./context.ts";
import { adjustToken } from "./token.ts";

const zeroAddress = "0x0000000000000000000000000000000000000000";

/** Addresses for which nobody has a key. */
const burnAddresses = new Set<string>([zeroAddress, "0x000000000000000000000000000000000000dead"]);

export type Transfer = { token: Address; from: Address; to: Address; value: bigint };

/** Moves `value` base units and updates holder count and supply. From or to the zero address is a mint or a burn. */
export async function moveBalance(
  context: EntityContext,
  { token, from, to, value }: Transfer,
  at: EventPosition,
): Promise<void> {
  // Anyone can emit a transfer of 0 from anyone to anyone. It makes nobody a holder.
  if (value === 0n) return;

  const sender = from === zeroAddress ? unchanged : await changeBalance(context, token, from, -value, at);
  const receiver = to === zeroAddress ? unchanged : await changeBalance(context, token, to, value, at);
  const holders = sender.holders + receiver.holders;
  const supply = (from === zeroAddress ? value : 0n) - (to === zeroAddress ? value : 0n);
  if (holders === 0 && supply === 0n && sender.emptied === 0 && receiver.emptied === 0) return;

  const { creator } = await adjustToken(context, token, { supply, holders }, at);
  const emptied = (creator === from ? sender.emptied : 0) + (creator === to ? receiver.emptied : 0);
  if (emptied !== 0) await addToRecord(context, creator, { tokensSoldOut: emptied }, at);
}

/** The indexed balance in base units. */
export async function balanceOf({ db, chain }: EntityContext, token: Address, account: Address) {
  const row = await db.find(holder, { chainId: chain.id, token, account });
  return row?.balance ?? 0n;
}

/** Whether the account once held the token and has none of it now. */
export async function hasSoldOut(
  { db, chain }: EntityContext,
  token: Address,
  account: Address,
): Promise<boolean> {
  const row = await db.find(holder, { chainId: chain.id, token, account });
  return row?.kind === "account" && row.balance === 0n;
}

/** Marks an account as the token's DEX pair, which does not count as a holder. */
export async function markPair(
  context: EntityContext,
  token: Address,
  account: Address,
  at: EventPosition,
): Promise<void> {
  const key = { chainId: context.chain.id, token, account };
  const row = await context.db.find(holder, key);
  if (row === null) {
    await context.db.insert(holder).values({ ...key, balance: 0n, kind: "pair" });
    return;
  }
  if (row.kind !== "account") return;
  await context.db.update(holder, key).set({ kind: "pair" });
  if (row.balance > 0n) await adjustToken(context, token, { supply: 0n, holders: -1 }, at);
}

/** The change (1, 0 or -1) in the token's number of holders, and in the number of accounts that sold out. */
type BalanceChange = { holders: number; emptied: number };

const unchanged: BalanceChange = { holders: 0, emptied: 0 };

async function changeBalance(
  context: EntityContext,
  token: Address,
  account: Address,
  change: bigint,
  at: EventPosition,
): Promise<BalanceChange> {
  // One store call instead of a find and a write: this is the indexer's hottest path.
  let before: bigint | undefined;
  const after = await context.db
    .insert(holder)
    .values({
      chainId: context.chain.id,
      token,
      account,
      balance: addAmount(0n, change),
      kind: kindOf(context, account),
    })
    .onConflictDoUpdate((row) => {
      before = row.balance;
      return { balance: addAmount(row.balance, change) };
    });
  if (after.kind !== "account") return unchanged;
  if (before === undefined) await ensureAccount(context, account, at);
  const holders = Number(after.balance > 0n) - Number((before ?? 0n) > 0n);
  return { holders, emptied: Number(after.balance === 0n) - Number(before === 0n) };
}

function kindOf(context: EntityContext, account: Address): "account" | "launchpad" | "burn" {
  if (account === launchpadOf(context)) return "launchpad";
  return burnAddresses.has(account) ? "burn" : "account";
}
