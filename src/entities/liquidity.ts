import { liquidityChange } from "ponder:schema";
import { type Address, type EntityContext, type EventPosition, positionColumns } from "./context.ts";

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
  context: EntityContext,
  change: NewLiquidityChange,
  at: EventPosition,
): Promise<void> {
  await context.db.insert(liquidityChange).values({
    ...change,
    ...positionColumns(context, at),
  });
}
