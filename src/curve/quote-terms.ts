import { priceBnbX36 } from "./price.ts";
import { type Reserves, type Side, type Swap, wholeFee } from "./quote.ts";

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
