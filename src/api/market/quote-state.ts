import { formatEther } from "viem";
import {
  type CurveState,
  getAmountOut,
  maxPairReserve,
  type PairState,
  priceImpactPercent,
  quoteOnCurve,
  quoteOnPair,
} from "../../domain/quote.ts";
import type { BuyImpact, GraduationExit } from "./market.schema.ts";
import type { MarketRow } from "./quote-state.query.ts";

/** Returns the curve of a token that has not graduated. */
export function toCurveState(row: MarketRow): CurveState {
  return {
    bnbReservesWei: BigInt(row.virtual_bnb_reserves),
    tokenReservesRaw: BigInt(row.virtual_token_reserves),
    tokensSold: BigInt(row.tokens_sold),
    totalToSell: BigInt(row.total_to_sell),
    graduationBnbReservesWei: BigInt(row.graduation_bnb_reserves_wei),
  };
}

/**
 * Returns the DEX pair of a token that has graduated.
 *
 * @param fee millionths of the amount paid in
 */
export function toPairState(row: MarketRow, fee: bigint): PairState {
  const tokenReservesRaw = BigInt(row.token_reserves_raw ?? 0);
  const outside =
    row.total_supply_raw === null ? maxPairReserve : BigInt(row.total_supply_raw) - tokenReservesRaw;
  return {
    bnbReservesWei: BigInt(row.bnb_reserves_wei ?? 0),
    tokenReservesRaw,
    fee,
    tokensOutside: outside > 0n ? outside : 0n,
  };
}

/**
 * Returns the BNB that all holders together can take out just before and just after a token's graduation: all that was raised, and
 * then less, since some of the tokens that were never sold are in the pair too. Null if it has graduated or can't, or if the launchpad
 * has no such tokens.
 */
export function graduationExit(row: MarketRow): GraduationExit | null {
  if (row.graduated || row.launch_supply_raw === null) return null;
  const { bnbReservesWei, totalToSell, graduationBnbReservesWei } = toCurveState(row);
  const raised = BigInt(row.liquidity_wei) + graduationBnbReservesWei - bnbReservesWei;
  const paired = BigInt(row.launch_supply_raw) - totalToSell;
  if (graduationBnbReservesWei === 0n || raised <= 0n || paired <= 0n || totalToSell <= 0n) return null;
  const after = getAmountOut(totalToSell, paired, raised, 0n);
  return { beforeBnb: formatEther(raised), afterBnb: formatEther(after) };
}

/** Wei of each buy for which the price impact is computed. */
const buySizes = [10n ** 16n, 10n ** 17n];

/**
 * Computes the price impact of small buys, as quotes do.
 *
 * @param dexFee millionths of the amount paid in; undefined if unknown
 */
export function buyImpacts(row: MarketRow, dexFee: bigint | undefined): BuyImpact[] {
  return buySizes.map((amountIn) => ({
    amountBnb: formatEther(amountIn),
    priceImpactPercent: computeImpact(row, amountIn, dexFee),
  }));
}

function computeImpact(row: MarketRow, amountIn: bigint, dexFee: bigint | undefined): number | null {
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
