import { curve, earlyBuyer } from "ponder:schema";
import { addAmount } from "../curve/amounts.ts";
import type { Address, EntityContext, EventPosition } from "./context.ts";

/** Buyers count as early in this many blocks, starting with the one in which the curve opened. */
const earlyBlocks = 3n;

export type Buy = {
  token: Address;
  account: Address;
  /** Base units. */
  tokenAmountRaw: bigint;
  openedBlock: bigint | null;
};

/** Records a buy if the curve has just opened. Returns for how many blocks it has been open, or null if the buy isn't early. */
export async function recordIfEarly(
  { db, chain }: EntityContext,
  { token, account, tokenAmountRaw, openedBlock }: Buy,
  { block: { number: block } }: EventPosition,
): Promise<number | null> {
  if (openedBlock === null || block - openedBlock >= earlyBlocks || tokenAmountRaw === 0n) return null;
  await db
    .insert(earlyBuyer)
    .values({ chainId: chain.id, token, account, block, boughtRaw: tokenAmountRaw })
    .onConflictDoUpdate((row) => ({ boughtRaw: addAmount(row.boughtRaw, tokenAmountRaw) }));
  return Number(block - openedBlock);
}

/** Returns how many blocks after the curve's opening an account bought, if that was just now: its tokens arrive after the trade's event. */
export async function findEarlyBlock(
  { db, chain }: EntityContext,
  { token, account }: { token: Address; account: Address },
  { block }: EventPosition,
): Promise<number | null> {
  const opened = await db.find(curve, { chainId: chain.id, token });
  if (!isEarly(opened, block.number)) return null;
  const bought = await db.find(earlyBuyer, { chainId: chain.id, token, account });
  return bought === null ? null : Number(bought.block - opened.openedBlock);
}

/** Whether a buy in this block would be early. */
export function isEarly<Curve extends { openedBlock: bigint | null }>(
  curve: Curve | null | undefined,
  block: bigint,
): curve is Curve & { openedBlock: bigint } {
  return typeof curve?.openedBlock === "bigint" && block - curve.openedBlock < earlyBlocks;
}
