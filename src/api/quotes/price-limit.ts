import { maxUint256, minBigint } from "../../curve/amounts.ts";

/**
 * Scales `minAmountOut` to the limit that a buy on the curve must carry. The contract understands a limit as one for all of
 * the BNB sent, and, if the curve ends within the buy, applies the share of it that is paid: here exactly `minAmountOut`.
 *
 * @param amountIn in wei
 * @param refund the wei of amountIn that are refunded; less than all of it
 */
export function limitForFullAmount(minAmountOut: bigint, amountIn: bigint, refund: bigint): bigint {
  return minBigint((minAmountOut * amountIn) / (amountIn - refund), maxUint256);
}
