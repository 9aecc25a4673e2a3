import { earlyBuyer } from "ponder:schema";
import { addAmount } from "../curve/amounts.ts";
import type { Address, EntityContext } from "./context.ts";

/** Buyers count as early in this many blocks, starting with the one in which the curve opened. */
const earlyBlocks = 3n;

export type Buy = {
  token: Address;
  account: Address;
  /** Base units. */
  tokenAmountRaw: bigint;
  openedBlock: bigint | null;
  block: bigint;
};

/** Records a buy if the curve has just opened. */
export async function recordIfEarly(
  { db, chain }: EntityContext,
  { token, account, tokenAmountRaw, openedBlock, block }: Buy,
): Promise<void> {
  if (openedBlock === null || block - openedBlock >= earlyBlocks) return;
  await db
    .insert(earlyBuyer)
    .values({ chainId: chain.id, token, account, block, boughtRaw: addAmount(0n, tokenAmountRaw) })
    .onConflictDoUpdate((row) => ({ boughtRaw: addAmount(row.boughtRaw, tokenAmountRaw) }));
}
