import { clamp } from "./amounts.ts";

/** The amounts of a Uniswap V2 Swap event, in wei and base units. */
export type SwapAmounts = { amount0In: bigint; amount1In: bigint; amount0Out: bigint; amount1Out: bigint };

export type DexTrade = { side: "buy" | "sell"; bnbAmount: bigint; tokenAmount: bigint };

/**
 * A Swap seen as a trade of the token for BNB. Both sides may flow both ways in one Swap (a flash swap), so
 * what counts is the net flow; a swap that takes no tokens out on balance is a sell, which brings nothing where BNB was
 * paid in too: to the pair it is a gift, as the fee of a flash loan is.
 */
export function dexTrade(amounts: SwapAmounts, tokenIsToken0: boolean): DexTrade {
  const net0 = amounts.amount0Out - amounts.amount0In;
  const net1 = amounts.amount1Out - amounts.amount1In;
  const [netToken, netBnb] = tokenIsToken0 ? [net0, net1] : [net1, net0];
  const isBuy = netToken > 0n;
  return {
    side: isBuy ? "buy" : "sell",
    bnbAmount: clamp(isBuy ? -netBnb : netBnb),
    tokenAmount: clamp(isBuy ? netToken : -netToken),
  };
}

/**
 * Whether the pair's token0 is the launched token, told by which of the two reserves matches the pair's
 * balance of the token: Uniswap V2 emits Sync with exactly the balances that it holds. This needs no RPC
 * request, so that it can't fail or disagree with a block that a reorg has taken away.
 */
export function tokenIsToken0(pairTokenBalance: bigint, reserve0: bigint, reserve1: bigint): boolean {
  return distance(pairTokenBalance, reserve0) <= distance(pairTokenBalance, reserve1);
}

function distance(left: bigint, right: bigint): bigint {
  return left > right ? left - right : right - left;
}
