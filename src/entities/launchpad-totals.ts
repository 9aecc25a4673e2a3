import { launchpadTotals } from "ponder:schema";
import { addAmount, subtractAmount } from "../curve/amounts.ts";
import type { EntityContext } from "./context.ts";
import { noTotals, withTrade } from "./totals.ts";

type TotalsRow = typeof launchpadTotals.$inferSelect;

/** Adds a trade to the chain's totals. Returns the row with it, which also has the BNB/USD rate. */
export async function countTrade(
  context: EntityContext,
  trade: { venue: "curve" | "dex"; side: "buy" | "sell"; bnbAmount: bigint },
): Promise<TotalsRow> {
  return await changeTotals(context, (row) => ({
    ...withTrade(row, trade, row.bnbUsdX8),
    bnbInCurves: trade.venue === "curve" ? withPayment(row.bnbInCurves, trade) : row.bnbInCurves,
  }));
}

export async function countToken(context: EntityContext): Promise<void> {
  await changeTotals(context, ({ tokens }) => ({ tokens: tokens + 1 }));
}

/** @param bnbLiquidity wei that the curve's BNB became on the DEX */
export async function countGraduation(context: EntityContext, bnbLiquidity: bigint): Promise<void> {
  await changeTotals(context, ({ graduated, bnbInCurves }) => ({
    graduated: graduated + 1,
    bnbInCurves: subtractAmount(bnbInCurves, bnbLiquidity),
  }));
}

/** Stores the price feed's latest answer, USD for one BNB with 8 decimals. Time in seconds. */
export async function setBnbUsd(context: EntityContext, bnbUsdX8: bigint, bnbUsdAt: bigint): Promise<void> {
  await changeTotals(context, () => ({ bnbUsdX8, bnbUsdAt }));
}

/** The price feed's last answer, USD for one BNB with 8 decimals; null before the first one. */
export async function bnbUsdNow({ db, chain }: EntityContext): Promise<bigint | null> {
  const row = await db.find(launchpadTotals, { chainId: chain.id });
  return row?.bnbUsdX8 ?? null;
}

async function changeTotals(
  { db, chain }: EntityContext,
  change: (row: TotalsRow) => Partial<TotalsRow>,
): Promise<TotalsRow> {
  const none = { tokens: 0, graduated: 0, ...noTotals, bnbInCurves: 0n, bnbUsdX8: null, bnbUsdAt: null };
  const blank = { chainId: chain.id, ...none };
  return await db
    .insert(launchpadTotals)
    .values({ ...blank, ...change(blank) })
    .onConflictDoUpdate(change);
}

function withPayment(bnbInCurves: bigint, trade: { side: "buy" | "sell"; bnbAmount: bigint }): bigint {
  const change = trade.side === "buy" ? addAmount : subtractAmount;
  return change(bnbInCurves, trade.bnbAmount);
}
