import type { curve } from "ponder:schema";
import { addAmount, subtractAmount } from "../curve/amounts.ts";
import { priceBnbX36 } from "../curve/price.ts";
import { curveProgress } from "../curve/progress.ts";
import { toUsd } from "../curve/usd.ts";
import { withTrade } from "./totals.ts";
import type { NewTrade } from "./trade.ts";

type CurveRow = typeof curve.$inferSelect;

export type MarketTrade = Omit<NewTrade, "trader"> & {
  id: string;
  /** USD for one BNB with 8 decimals, where there is a price feed. */
  bnbUsdX8: bigint | null;
  /** Seconds. */
  timestamp: bigint;
};

/** What a trade changes. */
export function traded(row: CurveRow, trade: MarketTrade) {
  const { bnbReservesWei, tokenReservesRaw, bnbUsdX8, timestamp } = trade;
  const price = priceBnbX36(bnbReservesWei, tokenReservesRaw);
  // Without reserves there is no price: keep the last one.
  const closePriceBnbX36 = price === 0n ? row.closePriceBnbX36 : price;
  return {
    ...withTrade(row, trade, bnbUsdX8),
    ...(trade.venue === "curve" ? tradedOnCurve(row, trade, price) : {}),
    closePriceBnbX36,
    closePriceUsdX36: toUsd(closePriceBnbX36, bnbUsdX8),
    lastTradeAt: timestamp,
    lastTradeId: trade.id,
    changedAt: timestamp,
  };
}

function tradedOnCurve(
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
    ...sold(row, tokensSold, row.totalToSell),
  };
}

/** What follows from so many base units sold. */
export function sold(row: CurveRow, tokensSold: bigint, totalToSell: bigint) {
  return {
    tokensSold,
    realTokenReserves: subtractAmount(totalToSell, tokensSold),
    progress: curveProgress(tokensSold, totalToSell, row.graduated),
  };
}
