import { clamp } from "./amounts.ts";

/** The amounts of a Uniswap V2 Swap event, in wei and base units. */
export type SwapAmounts = { amount0In: bigint; amount1In: bigint; amount0Out: bigint; amount1Out: bigint };

export type DexTrade = { side: "buy" | "sell"; bnbAmountWei: bigint; tokenAmountRaw: bigint };

/**
 * Reads a Swap as a trade of the token for BNB. Both sides may flow both ways in one Swap (a flash swap), so the net
 * flow counts. A swap that takes no tokens out on balance is a sell. If it also pays BNB in, it is a gift to the pair, such
 * as the fee of a flash loan: a sell for nothing.
 */
export function dexTrade(amounts: SwapAmounts, tokenIsToken0: boolean): DexTrade {
  const net0 = amounts.amount0Out - amounts.amount0In;
  const net1 = amounts.amount1Out - amounts.amount1In;
  const [netToken, netBnb] = tokenIsToken0 ? [net0, net1] : [net1, net0];
  const isBuy = netToken > 0n;
  return {
    side: isBuy ? "buy" : "sell",
    bnbAmountWei: clamp(isBuy ? -netBnb : netBnb),
    tokenAmountRaw: clamp(isBuy ? netToken : -netToken),
  };
}

/**
 * Whether the pair's token0 is the launched token. It is if the first reserve equals the pair's balance of the token, since
 * Uniswap V2 emits Sync with exactly its balances. This needs no RPC request, which could fail or disagree with a block
 * that a reorg removed.
 */
export function tokenIsToken0(pairTokenBalance: bigint, reserve0: bigint, reserve1: bigint): boolean {
  return distance(pairTokenBalance, reserve0) <= distance(pairTokenBalance, reserve1);
}

function distance(left: bigint, right: bigint): bigint {
  return left > right ? left - right : right - left;
}
