import { dexPair, liquidityChange } from "ponder:schema";
import { priceBnbX36 } from "../domain/price.ts";
import { tokenIsToken0 } from "../domain/swap.ts";
import { type Address, type EntityContext, type EventPosition, positionColumns } from "./context.ts";
import { balanceOf } from "./holder.ts";

/**
 * Stores the pair that a token graduated to. A pair belongs to the first token that named it: returns false and changes
 * nothing if it is stored already.
 */
export async function openPair(
  { db, chain }: EntityContext,
  opened: Omit<typeof dexPair.$inferInsert, "chainId" | "changedAt">,
  { block }: EventPosition,
): Promise<boolean> {
  const inserted = await db
    .insert(dexPair)
    .values({ ...opened, chainId: chain.id, changedAt: block.timestamp })
    .onConflictDoNothing();
  return inserted !== null;
}

/** Returns the pair, or null if its token has not graduated yet. */
export function findPair({ db, chain }: EntityContext, address: Address) {
  return db.find(dexPair, { chainId: chain.id, address });
}

/**
 * Stores the pair's reserves from a Sync event. Returns the token, its price on the DEX (0 for an empty pair) and the
 * BNB reserves, or null if the pair's token has not graduated yet.
 */
export async function syncPair(
  context: EntityContext,
  address: Address,
  { reserve0, reserve1 }: { reserve0: bigint; reserve1: bigint },
  { block }: EventPosition,
): Promise<{ token: Address; priceBnbX36: bigint; bnbReservesWei: bigint } | null> {
  const pair = await findPair(context, address);
  if (pair === null) return null;

  const isToken0 =
    pair.tokenIsToken0 ?? tokenIsToken0(await balanceOf(context, pair.token, address), reserve0, reserve1);
  const [tokenReservesRaw, bnbReservesWei] = isToken0 ? [reserve0, reserve1] : [reserve1, reserve0];
  await context.db
    .update(dexPair, pair)
    .set({ tokenReservesRaw, bnbReservesWei, tokenIsToken0: isToken0, changedAt: block.timestamp });
  return { token: pair.token, priceBnbX36: priceBnbX36(bnbReservesWei, tokenReservesRaw), bnbReservesWei };
}

type NewLiquidityChange = {
  token: Address;
  pair: Address;
  /** The account that the pair's liquidity tokens reached, or came from. */
  provider: Address;
  /** The account whose tokens were added, or that got the removed ones. */
  tokenAccount: Address;
  kind: "add" | "remove";
  bnbAmountWei: bigint;
  tokenAmountRaw: bigint;
  /** Base units that moved between pair and tokenAccount, where that isn't tokenAmountRaw. */
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
