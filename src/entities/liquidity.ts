import { liquidityChange } from "ponder:schema";
import { type Address, type EntityContext, type EventPosition, positionId } from "./context.ts";

export type NewLiquidityChange = {
  token: Address;
  pair: Address;
  provider: Address;
  kind: "add" | "remove";
  bnbAmountWei: bigint;
  tokenAmountRaw: bigint;
  /** Base units that moved between pair and provider, where that isn't tokenAmountRaw. */
  tokensMovedRaw: bigint | null;
  /** The pair's reserves after the change. */
  bnbReservesWei: bigint;
  tokenReservesRaw: bigint;
};

/** Stores a change of a pair's liquidity. */
export async function recordLiquidity(
  { db, chain }: EntityContext,
  change: NewLiquidityChange,
  at: EventPosition,
): Promise<void> {
  await db.insert(liquidityChange).values({
    ...change,
    chainId: chain.id,
    id: positionId(at),
    block: at.block.number,
    timestamp: at.block.timestamp,
    tx: at.transaction.hash,
    txIndex: at.transaction.transactionIndex,
    logIndex: at.log.logIndex,
  });
}
