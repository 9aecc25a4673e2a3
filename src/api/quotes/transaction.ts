import { type Address, encodeFunctionData, type Hex } from "viem";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import type { Side } from "../../curve/quote.ts";
import type { Transaction } from "./quote.mapper.ts";

export type TradeCall = {
  mint: Address;
  side: Side;
  /** Wei for a buy, base units for a sell; the least to accept is the other. */
  amountIn: bigint;
  minAmountOut: bigint;
  /** Seconds since 1970. */
  deadline: bigint;
};

/** The gas limit that ILaunchpad.buy asks for: any buy may turn out to be the one that graduates the token. */
export const curveBuyGas = 400_000;

/** The gas limit that ITokenFactory.createTokenAndBuy asks for: it may graduate the token at once. */
export const firstBuyGas = 4_000_000;

/**
 * The pair adds up its price where its last trade was in another second, which an estimate may not foresee: measured on
 * Uniswap V2, 93,000 in the same second, up to 155,000 otherwise.
 */
const dexGas = 250_000;

/** A trade on the curve, for whoever sends it. */
export function curveTransaction(launchpad: Address, trade: TradeCall): Transaction {
  const { mint, side, amountIn, minAmountOut, deadline } = trade;
  const abi = launchpadAbi;
  if (side === "sell") {
    const args = [mint, amountIn, minAmountOut, deadline] as const;
    return { to: launchpad, data: encodeFunctionData({ abi, functionName: "sell", args }), value: 0n };
  }
  const data = encodeFunctionData({ abi, functionName: "buy", args: [mint, minAmountOut, deadline] });
  return { to: launchpad, data, value: amountIn, gas: curveBuyGas };
}

type NewToken = { name: string; symbol: string; burnPercent: number; salt: Hex };

/** The creation of a token with a first buy, both for whoever sends it. */
export function firstBuyTransaction(
  tokenFactory: Address,
  { name, symbol, burnPercent, salt }: NewToken,
  { amountIn, minTokensOut }: { amountIn: bigint; minTokensOut: bigint },
): Transaction {
  const data = encodeFunctionData({
    abi: tokenFactoryAbi,
    functionName: "createTokenAndBuy",
    args: [name, symbol, burnPercent, salt, minTokensOut],
  });
  return { to: tokenFactory, data, value: amountIn, gas: firstBuyGas };
}

/** A trade on the DEX, whose proceeds go to `account`. */
export function dexTransaction(
  { router, wbnb }: { router: Address; wbnb: Address },
  account: Address,
  { mint, side, amountIn, minAmountOut, deadline }: TradeCall,
): Transaction {
  const abi = dexRouterAbi;
  if (side === "sell") {
    const args = [amountIn, minAmountOut, [mint, wbnb], account, deadline] as const;
    const data = encodeFunctionData({ abi, functionName: "swapExactTokensForETH", args });
    return { to: router, data, value: 0n, gas: dexGas };
  }
  const args = [minAmountOut, [wbnb, mint], account, deadline] as const;
  const data = encodeFunctionData({ abi, functionName: "swapExactETHForTokens", args });
  return { to: router, data, value: amountIn, gas: dexGas };
}

/** Lets the spender take exactly so many tokens from whoever sends it. */
export function approval(mint: Address, spender: Address, amount: bigint): Transaction {
  const args = [spender, amount] as const;
  const data = encodeFunctionData({ abi: launchTokenAbi, functionName: "approve", args });
  return { to: mint, data, value: 0n };
}
