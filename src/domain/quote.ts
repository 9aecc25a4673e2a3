import { minBigint, subtractAmount } from "./amounts.ts";
import { priceBnbX36 } from "./price.ts";

export type Side = "buy" | "sell";

/** The reserves that price a trade: the curve's virtual ones or the pair's. Wei and base units. */
export type Reserves = { bnbReservesWei: bigint; tokenReservesRaw: bigint };

/** The outcome of a trade, and the reserves after it. Amounts in wei and base units. */
export type Swap = Reserves & {
  amountOut: bigint;
  /** Wei refunded to a buy. */
  refund: bigint;
  /** Whether it sells out the curve. */
  graduates: boolean;
};

/**
 * Why a trade is impossible: no reserves; an amount so small that nothing comes out; or more than can exist.
 */
export type Refusal = "no_liquidity" | "too_small" | "too_large";

/** A curve that has not graduated. */
export type CurveState = Reserves & {
  tokensSold: bigint;
  totalToSell: bigint;
  /** The reserves of BNB at which it graduates; 0 for a curve that can't be sold out. */
  graduationBnbReservesWei: bigint;
};

/**
 * Computes `buy` and `sell` of contracts/Launchpad.sol to the wei: a constant product without a fee, rounded in favour of
 * the pool. A buy that reaches the end of the curve takes all that is left and is refunded the rest.
 */
export function quoteOnCurve(curve: CurveState, side: Side, amountIn: bigint): Swap | Refusal {
  const { bnbReservesWei, tokenReservesRaw, tokensSold, totalToSell, graduationBnbReservesWei } = curve;
  if (bnbReservesWei <= 0n || tokenReservesRaw <= 0n) return "no_liquidity";
  if (side === "sell") {
    return amountIn > tokensSold ? "too_large" : swap(curve, "sell", amountIn, 0n);
  }
  if (graduationBnbReservesWei === 0n) return swap(curve, "buy", amountIn, 0n);

  const cost = graduationBnbReservesWei - bnbReservesWei;
  const left = totalToSell - tokensSold;
  if (cost <= 0n || left <= 0n || left > tokenReservesRaw) return "no_liquidity";
  if (amountIn < cost) return swap(curve, "buy", amountIn, 0n);
  return {
    amountOut: left,
    refund: amountIn - cost,
    graduates: true,
    bnbReservesWei: graduationBnbReservesWei,
    tokenReservesRaw: tokenReservesRaw - left,
  };
}

/** The maximum of each reserve of a Uniswap V2 pair, above which it reverts. */
export const maxPairReserve = 2n ** 112n - 1n;

/** A fee of 100 %, in millionths of what is paid in. */
export const wholeFee = 1_000_000n;

export type PairState = Reserves & {
  /** Millionths of what is paid in: 3,000 are 0.3 %. */
  fee: bigint;
  /** Base units outside the pair: nobody can sell more. */
  tokensOutside: bigint;
};

/** Computes a Uniswap V2 router's `swapExactETHForTokens` and `swapExactTokensForETH` to the wei. */
export function quoteOnPair(pair: PairState, side: Side, amountIn: bigint): Swap | Refusal {
  if (pair.bnbReservesWei <= 0n || pair.tokenReservesRaw <= 0n) return "no_liquidity";
  return amountIn > maxAmountIn(pair, side) ? "too_large" : swap(pair, side, amountIn, pair.fee);
}

/** Returns the largest amount that can be paid into a pair. */
export function maxAmountIn(
  { bnbReservesWei, tokenReservesRaw, tokensOutside }: PairState,
  side: Side,
): bigint {
  const room = subtractAmount(maxPairReserve, side === "buy" ? bnbReservesWei : tokenReservesRaw);
  return side === "sell" ? minBigint(tokensOutside, room) : room;
}

/**
 * UniswapV2Library.getAmountOut with any fee, in millionths: with 3,000 it is Uniswap V2's formula, with 2,500 that of
 * PancakeSwap V2, since both multiply and divide the fee away exactly. Without a fee it is BondingCurve.quote.
 */
export function getAmountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint): bigint {
  const paid = amountIn * (wholeFee - fee);
  return (paid * reserveOut) / (reserveIn * wholeFee + paid);
}

function swap(reserves: Reserves, side: Side, amountIn: bigint, fee: bigint): Swap | Refusal {
  const { bnbReservesWei, tokenReservesRaw } = reserves;
  const isBuy = side === "buy";
  const amountOut = isBuy
    ? getAmountOut(amountIn, bnbReservesWei, tokenReservesRaw, fee)
    : getAmountOut(amountIn, tokenReservesRaw, bnbReservesWei, fee);
  if (amountOut === 0n) return "too_small";
  return {
    amountOut,
    refund: 0n,
    graduates: false,
    bnbReservesWei: isBuy ? bnbReservesWei + amountIn : bnbReservesWei - amountOut,
    tokenReservesRaw: isBuy ? tokenReservesRaw - amountOut : tokenReservesRaw + amountIn,
  };
}

/** The prices of a trade, as BNB per token with 36 decimals. */
export type TradePrices = {
  beforeBnbX36: bigint;
  /** Average price paid, including the fee and excluding the refund. */
  averageBnbX36: bigint;
  afterBnbX36: bigint;
};

/** Returns the prices before, during and after a trade. */
export function tradePrices(before: Reserves, swap: Swap, side: Side, amountIn: bigint): TradePrices {
  const { paid, amountOut } = { paid: amountIn - swap.refund, ...swap };
  return {
    beforeBnbX36: priceBnbX36(before.bnbReservesWei, before.tokenReservesRaw),
    averageBnbX36: side === "buy" ? priceBnbX36(paid, amountOut) : priceBnbX36(amountOut, paid),
    afterBnbX36: priceBnbX36(swap.bnbReservesWei, swap.tokenReservesRaw),
  };
}

/**
 * Returns the price impact in percent: how much less comes out than at the price before the trade, for what is paid in without refund
 * and fee. Rounded down to 4 decimals; 0 if no less comes out.
 *
 * @param fee millionths of what is paid in
 */
export function priceImpactPercent(
  before: Reserves,
  swap: Swap,
  { side, amountIn, fee }: { side: Side; amountIn: bigint; fee: bigint },
): number {
  const [reserveIn, reserveOut] =
    side === "buy"
      ? [before.bnbReservesWei, before.tokenReservesRaw]
      : [before.tokenReservesRaw, before.bnbReservesWei];
  const atPriceBefore = (amountIn - swap.refund) * (wholeFee - fee) * reserveOut;
  const received = swap.amountOut * wholeFee * reserveIn;
  if (atPriceBefore <= received) return 0;
  return Number(((atPriceBefore - received) * 1_000_000n) / atPriceBefore) / 10_000;
}

/**
 * Returns the minimum output to accept for `amountOut`, rounded up.
 *
 * @param slippage hundredths of a percent
 */
export function minAmountOut(amountOut: bigint, slippage: number): bigint {
  return (amountOut * BigInt(10_000 - slippage) + 9_999n) / 10_000n;
}
