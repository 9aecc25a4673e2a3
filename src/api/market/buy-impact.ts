import { formatEther } from "viem";
import { quoteOnCurve, quoteOnPair } from "../../curve/quote.ts";
import { priceImpactPercent } from "../../curve/quote-terms.ts";
import type { BuyImpact } from "./market.schema.ts";
import type { QuoteStateRow } from "./quote-state.query.ts";
import { toCurveState, toPairState } from "./quote-state.ts";

/** Wei of each buy for which the price impact is computed. */
const buySizes = [10n ** 16n, 10n ** 17n];

/**
 * Computes the price impact of small buys, as quotes do.
 *
 * @param dexFee millionths of the amount paid in; undefined if unknown
 */
export function buyImpacts(row: QuoteStateRow, dexFee: bigint | undefined): BuyImpact[] {
  return buySizes.map((amountIn) => ({
    amountBnb: formatEther(amountIn),
    priceImpactPercent: computeImpact(row, amountIn, dexFee),
  }));
}

function computeImpact(row: QuoteStateRow, amountIn: bigint, dexFee: bigint | undefined): number | null {
  if (row.graduated) {
    if (dexFee === undefined) return null;
    const pair = toPairState(row, dexFee);
    const swap = quoteOnPair(pair, "buy", amountIn);
    return typeof swap === "string"
      ? null
      : priceImpactPercent(pair, swap, { side: "buy", amountIn, fee: dexFee });
  }
  if (row.opened_block === null) return null;
  const curve = toCurveState(row);
  const swap = quoteOnCurve(curve, "buy", amountIn);
  return typeof swap === "string"
    ? null
    : priceImpactPercent(curve, swap, { side: "buy", amountIn, fee: 0n });
}
