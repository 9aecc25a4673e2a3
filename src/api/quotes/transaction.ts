import { type Address, encodeFunctionData, type Hex, parseSignature } from "viem";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import type { Side } from "../../domain/quote.ts";
import type { Transaction } from "./quote.mapper.ts";

/**
 * Gas limits that hold in the most expensive circumstances that anybody else can create before a transaction is mined, which an
 * estimate doesn't foresee. Each has a margin above what was measured: contracts/gas-bounds.test.ts.
 */
export const gasLimits = {
  /** As ILaunchpad.buy recommends: any buy may turn out to be the one that graduates the token. */
  curveBuy: 400_000,
  /** The account that is paid may be one with code (EIP-7702), which runs. */
  curveSell: 200_000,
  permitSell: 250_000,
  /** As ITokenFactory.createTokenAndBuy recommends: the buy may graduate the token at once. */
  firstBuy: 4_600_000,
  creation: 4_300_000,
  /** The pair updates its cumulative prices if its last trade was in another second. */
  dexTrade: 250_000,
  approval: 80_000,
};

export type TradeCall = {
  mint: Address;
  side: Side;
  /** In wei for a buy, in base units for a sell; minAmountOut is in the other unit. */
  amountIn: bigint;
  minAmountOut: bigint;
  /** Seconds since 1970. */
  deadline: bigint;
  /** The seller's signature of a permit for this amount and deadline. */
  signature?: Hex | undefined;
};

/** Builds a trade on the curve, whose proceeds go to the sender. */
export function curveTransaction(launchpad: Address, trade: TradeCall): Transaction {
  const { mint, side, amountIn, minAmountOut, deadline, signature } = trade;
  const abi = launchpadAbi;
  if (side === "sell" && signature !== undefined) {
    const { r, s, yParity } = parseSignature(signature);
    const args = [mint, amountIn, minAmountOut, deadline, 27 + yParity, r, s] as const;
    const data = encodeFunctionData({ abi, functionName: "sellWithPermit", args });
    return { to: launchpad, data, value: 0n, gas: gasLimits.permitSell };
  }
  if (side === "sell") {
    const args = [mint, amountIn, minAmountOut, deadline] as const;
    const data = encodeFunctionData({ abi, functionName: "sell", args });
    return { to: launchpad, data, value: 0n, gas: gasLimits.curveSell };
  }
  const data = encodeFunctionData({ abi, functionName: "buy", args: [mint, minAmountOut, deadline] });
  return { to: launchpad, data, value: amountIn, gas: gasLimits.curveBuy };
}

type NewToken = { name: string; symbol: string; burnPercent: number; salt: Hex };

/** Builds the creation of a token with a first buy. The sender becomes creator and buyer. */
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
  return { to: tokenFactory, data, value: amountIn, gas: gasLimits.firstBuy };
}

/** Builds a trade on the DEX, whose proceeds go to `account`. */
export function dexTransaction(
  { router, wbnb }: { router: Address; wbnb: Address },
  account: Address,
  { mint, side, amountIn, minAmountOut, deadline }: TradeCall,
): Transaction {
  const abi = dexRouterAbi;
  if (side === "sell") {
    const args = [amountIn, minAmountOut, [mint, wbnb], account, deadline] as const;
    const data = encodeFunctionData({ abi, functionName: "swapExactTokensForETH", args });
    return { to: router, data, value: 0n, gas: gasLimits.dexTrade };
  }
  const args = [minAmountOut, [wbnb, mint], account, deadline] as const;
  const data = encodeFunctionData({ abi, functionName: "swapExactETHForTokens", args });
  return { to: router, data, value: amountIn, gas: gasLimits.dexTrade };
}

/** Builds an approval that lets the spender take exactly this amount of tokens from the sender. */
export function approvalTransaction(mint: Address, spender: Address, amount: bigint): Transaction {
  const args = [spender, amount] as const;
  const data = encodeFunctionData({ abi: launchTokenAbi, functionName: "approve", args });
  return { to: mint, data, value: 0n, gas: gasLimits.approval };
}
