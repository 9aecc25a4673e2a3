import { lower, maxUint256 } from "../../curve/amounts.ts";

/**
 * The limit that a buy on the curve carries for `minAmountOut`. The contract takes it for all of the BNB, and counts the
 * share of it that is paid where the curve ends within the buy: with this one, exactly `minAmountOut`.
 *
 * @param amountIn wei
 * @param refund wei of amountIn that come back; less than all of it
 */
export function limitForAll(minAmountOut: bigint, amountIn: bigint, refund: bigint): bigint {
  return lower((minAmountOut * amountIn) / (amountIn - refund), maxUint256);
}
