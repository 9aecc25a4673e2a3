import { addAmount } from "../curve/amounts.ts";
import { toUsd } from "../curve/usd.ts";

/** Running totals of a token's trades, or of all trades. Volumes in wei, and USD with 18 decimals. */
export type Totals = {
  buysToDate: number;
  sellsToDate: number;
  volumeBnbToDate: bigint;
  volumeUsdToDate: bigint;
};

export const noTotals: Totals = { buysToDate: 0, sellsToDate: 0, volumeBnbToDate: 0n, volumeUsdToDate: 0n };

/** The totals plus one trade. Without a rate it adds nothing in USD. */
export function withTrade(
  totals: Totals,
  { side, bnbAmount }: { side: "buy" | "sell"; bnbAmount: bigint },
  bnbUsdX8: bigint | null,
): Totals {
  return {
    buysToDate: totals.buysToDate + (side === "buy" ? 1 : 0),
    sellsToDate: totals.sellsToDate + (side === "sell" ? 1 : 0),
    volumeBnbToDate: addAmount(totals.volumeBnbToDate, bnbAmount),
    volumeUsdToDate: addAmount(totals.volumeUsdToDate, toUsd(bnbAmount, bnbUsdX8) ?? 0n),
  };
}
