import { launchpad } from "ponder:schema";
import { addAmount, subtractAmount } from "../domain/amounts.ts";
import type { EntityContext } from "./context.ts";
import { addTradeToTotals, zeroTotals } from "./totals.ts";

type TotalsRow = typeof launchpad.$inferSelect;

/** Adds a trade to the chain's totals. Returns the updated row, which also has the BNB/USD rate. */
export function countTrade(
  context: EntityContext,
  trade: { venue: "curve" | "dex"; side: "buy" | "sell"; bnbAmountWei: bigint },
): Promise<TotalsRow> {
  return changeTotals(context, (row) => ({
    ...addTradeToTotals(row, trade, row.bnbUsdX8),
    inCurvesWei: trade.venue === "curve" ? withPayment(row.inCurvesWei, trade) : row.inCurvesWei,
  }));
}

export async function countToken(context: EntityContext): Promise<void> {
  await changeTotals(context, ({ tokens }) => ({ tokens: tokens + 1 }));
}

/** @param bnbLiquidity wei that moved from the curve to the DEX */
export async function countGraduation(context: EntityContext, bnbLiquidity: bigint): Promise<void> {
  await changeTotals(context, ({ graduated, inCurvesWei }) => ({
    graduated: graduated + 1,
    inCurvesWei: subtractAmount(inCurvesWei, bnbLiquidity),
  }));
}

/** Numbers of accounts that did something at least once. */
export type Newcomers = Pick<TotalsRow, "traders" | "sellers" | "creators" | "graduatedCreators">;

/** Counts accounts that did something for the first time. */
export async function countNewcomers(context: EntityContext, added: Partial<Newcomers>): Promise<void> {
  await changeTotals(context, (row) => ({
    traders: row.traders + (added.traders ?? 0),
    sellers: row.sellers + (added.sellers ?? 0),
    creators: row.creators + (added.creators ?? 0),
    graduatedCreators: row.graduatedCreators + (added.graduatedCreators ?? 0),
  }));
}

/** Stores the price feed's latest answer, USD for one BNB with 8 decimals. Time in seconds. */
export async function setBnbUsd(context: EntityContext, bnbUsdX8: bigint, bnbUsdAt: bigint): Promise<void> {
  await changeTotals(context, () => ({ bnbUsdX8, bnbUsdAt }));
}

/** Returns the price feed's last answer, in USD for one BNB with 8 decimals; null before the first one. */
export async function findBnbUsd({ db, chain }: EntityContext): Promise<bigint | null> {
  const row = await db.find(launchpad, { chainId: chain.id });
  return row?.bnbUsdX8 ?? null;
}

async function changeTotals(
  { db, chain }: EntityContext,
  change: (row: TotalsRow) => Partial<TotalsRow>,
): Promise<TotalsRow> {
  const key = { chainId: chain.id };
  const row = await db.find(launchpad, key);
  if (row !== null) return await db.update(launchpad, key).set(change(row));

  const zeros = { tokens: 0, graduated: 0, ...zeroTotals, inCurvesWei: 0n, bnbUsdX8: null, bnbUsdAt: null };
  const noAccounts = { traders: 0, sellers: 0, creators: 0, graduatedCreators: 0 };
  const blank = { ...key, ...zeros, ...noAccounts };
  return await db.insert(launchpad).values({ ...blank, ...change(blank) });
}

function withPayment(inCurvesWei: bigint, trade: { side: "buy" | "sell"; bnbAmountWei: bigint }): bigint {
  const change = trade.side === "buy" ? addAmount : subtractAmount;
  return change(inCurvesWei, trade.bnbAmountWei);
}
