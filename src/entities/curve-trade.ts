import type { curve } from "ponder:schema";
import { addAmount, subtractAmount } from "../curve/amounts.ts";
import { priceBnbX36 } from "../curve/price.ts";
import { curveProgress } from "../curve/progress.ts";
import { toUsd } from "../curve/usd.ts";
import { addTradeToTotals } from "./totals.ts";
import type { NewTrade } from "./trade.ts";

type CurveRow = typeof curve.$inferSelect;

export type MarketTrade = Omit<NewTrade, "trader"> & {
  id: string;
  /** USD for one BNB with 8 decimals; null without a rate. */
  bnbUsdX8: bigint | null;
  /** Seconds. */
  timestamp: bigint;
};

/** Returns the columns that a trade changes. */
export function applyTrade(row: CurveRow, trade: MarketTrade) {
  const { bnbReservesWei, tokenReservesRaw, bnbUsdX8, timestamp } = trade;
  const price = priceBnbX36(bnbReservesWei, tokenReservesRaw);
  // Without reserves there is no price: keep the previous one.
  const closePriceBnbX36 = price === 0n ? row.closePriceBnbX36 : price;
  return {
    ...addTradeToTotals(row, trade, bnbUsdX8),
    ...(trade.venue === "curve" ? applyCurveTrade(row, trade, price) : {}),
    closePriceBnbX36,
    closePriceUsdX36: toUsd(closePriceBnbX36, bnbUsdX8),
    lastTradeAt: timestamp,
    lastTradeId: trade.id,
    changedAt: timestamp,
  };
}

function applyCurveTrade(
  row: CurveRow,
  { side, bnbAmountWei, tokenAmountRaw, bnbReservesWei, tokenReservesRaw }: MarketTrade,
  price: bigint,
) {
  const change = side === "buy" ? addAmount : subtractAmount;
  const tokensSold = change(row.tokensSold, tokenAmountRaw);
  return {
    virtualBnbReserves: bnbReservesWei,
    virtualTokenReserves: tokenReservesRaw,
    priceBnbX36: price,
    liquidityWei: change(row.liquidityWei, bnbAmountWei),
    ...withTokensSold(row, tokensSold, row.totalToSell),
  };
}

/** Returns the columns that depend on the number of base units sold. */
export function withTokensSold(row: CurveRow, tokensSold: bigint, totalToSell: bigint) {
  return {
    tokensSold,
    realTokenReserves: subtractAmount(totalToSell, tokensSold),
    progress: curveProgress(tokensSold, totalToSell, row.graduated),
  };
}
