import { addAmount } from "../domain/amounts.ts";
import { toUsd } from "../domain/price.ts";

/** Running totals of a token's trades, or of all trades. Volumes are in wei, and in USD with 18 decimals. */
export type Totals = {
  buysToDate: number;
  sellsToDate: number;
  volumeToDateWei: bigint;
  volumeToDateUsdX18: bigint;
};

export const zeroTotals: Totals = {
  buysToDate: 0,
  sellsToDate: 0,
  volumeToDateWei: 0n,
  volumeToDateUsdX18: 0n,
};

/** Returns the totals plus one trade. Without a rate it adds nothing in USD. */
export function addTradeToTotals(
  totals: Totals,
  { side, bnbAmountWei }: { side: "buy" | "sell"; bnbAmountWei: bigint },
  bnbUsdX8: bigint | null,
): Totals {
  return {
    buysToDate: totals.buysToDate + (side === "buy" ? 1 : 0),
    sellsToDate: totals.sellsToDate + (side === "sell" ? 1 : 0),
    volumeToDateWei: addAmount(totals.volumeToDateWei, bnbAmountWei),
    volumeToDateUsdX18: addAmount(totals.volumeToDateUsdX18, toUsd(bnbAmountWei, bnbUsdX8) ?? 0n),
  };
}
