import { formatEther } from "viem";
import { quoteOnCurve, quoteOnPair } from "../../curve/quote.ts";
import { priceImpactPercent } from "../../curve/quote-terms.ts";
import type { BuyImpact } from "./market.schema.ts";
import type { QuoteStateRow } from "./quote-state.query.ts";
import { curveStateOf, pairStateOf } from "./quote-state.ts";

/** Wei of the buys that a token's price impact is told for. */
const sizes = [10n ** 16n, 10n ** 17n];

/**
 * The price impact of small buys, as quotes have it.
 *
 * @param dexFee millionths of what is paid in; undefined where it isn't known
 */
export function buyImpacts(row: QuoteStateRow, dexFee: bigint | undefined): BuyImpact[] {
  return sizes.map((amountIn) => ({
    amountBnb: formatEther(amountIn),
    priceImpactPercent: impactOf(row, amountIn, dexFee),
  }));
}

function impactOf(row: QuoteStateRow, amountIn: bigint, dexFee: bigint | undefined): number | null {
  if (row.graduated) {
    if (dexFee === undefined) return null;
    const pair = pairStateOf(row, dexFee);
    const swap = quoteOnPair(pair, "buy", amountIn);
    return typeof swap === "string"
      ? null
      : priceImpactPercent(pair, swap, { side: "buy", amountIn, fee: dexFee });
  }
  if (row.opened_block === null) return null;
  const curve = curveStateOf(row);
  const swap = quoteOnCurve(curve, "buy", amountIn);
  return typeof swap === "string"
    ? null
    : priceImpactPercent(curve, swap, { side: "buy", amountIn, fee: 0n });
}
