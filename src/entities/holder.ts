import { holder } from "ponder:schema";
import { addAmount } from "../curve/amounts.ts";
import { ensureAccount } from "./account.ts";
import { type Address, type EntityContext, type EventPosition, launchpadOf } from "./context.ts";
import { adjustToken } from "./token.ts";

const zeroAddress = "0x0000000000000000000000000000000000000000";

/** Addresses that nobody has the key of. */
const burnAddresses = new Set<string>([zeroAddress, "0x000000000000000000000000000000000000dead"]);

export type Transfer = { token: Address; from: Address; to: Address; value: bigint };

/** Moves `value` base units, counting holders and supply. From or to the zero address is a mint or a burn. */
export async function moveBalance(
  context: EntityContext,
  { token, from, to, value }: Transfer,
  at: EventPosition,
): Promise<void> {
  // Anyone can transfer nothing in anyone's name: that makes nobody a holder.
  if (value === 0n) return;

  let holders = 0;
  let supply = 0n;
  if (from === zeroAddress) supply += value;
  else holders += await changeBalance(context, token, from, -value, at);
  if (to === zeroAddress) supply -= value;
  else holders += await changeBalance(context, token, to, value, at);

  if (holders !== 0 || supply !== 0n) await adjustToken(context, token, { supply, holders });
}

/** The balance in base units that the index has seen. */
export async function balanceOf({ db, chain }: EntityContext, token: Address, account: Address) {
  const row = await db.find(holder, { chainId: chain.id, token, account });
  return row?.balance ?? 0n;
}

/** Marks an account as the token's DEX pair, which is no holder. */
export async function markPair(context: EntityContext, token: Address, account: Address): Promise<void> {
  const key = { chainId: context.chain.id, token, account };
  const row = await context.db.find(holder, key);
  if (row === null) {
    await context.db.insert(holder).values({ ...key, balance: 0n, kind: "pair" });
    return;
  }
  if (row.kind !== "account") return;
  await context.db.update(holder, key).set({ kind: "pair" });
  if (row.balance > 0n) await adjustToken(context, token, { supply: 0n, holders: -1 });
}

/** Returns how many holders the token has more (1) or fewer (-1) than before. */
async function changeBalance(
  context: EntityContext,
  token: Address,
  account: Address,
  change: bigint,
  at: EventPosition,
): Promise<number> {
  // One store call in place of a find and a write: this is the hottest path of the indexer.
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
  if (after.kind !== "account") return 0;
  if (before === undefined) await ensureAccount(context, account, at);
  return Number(after.balance > 0n) - Number((before ?? 0n) > 0n);
}

function kindOf(context: EntityContext, account: Address): "account" | "launchpad" | "burn" {
  if (account === launchpadOf(context)) return "launchpad";
  return burnAddresses.has(account) ? "burn" : "account";
}
