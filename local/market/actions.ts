import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  parseEther,
  toHex,
  zeroHash,
} from "viem";
import { dexRouterAbi } from "../../abis/DexRouter.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { tokenName } from "./names.ts";
import type { Random } from "./random.ts";
import type { MarketToken } from "./view.ts";

/** A transaction as `eth_sendTransaction` takes it. */
export type Transaction = { from: Address; to: Address; data: Hex; value: Hex; gas: Hex; gasPrice: Hex };

const noDeadline = 2n ** 32n;
const gas = { create: 8_000_000, trade: 1_000_000, transfer: 200_000 };

/** Builders of the transactions that traders send. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(deployment: LaunchpadDeployment, random: Random) {
  const { tokenFactory, launchpad, router, wbnb } = deployment;

  function transaction(from: Address, to: Address, data: Hex, gasLimit: number, value = 0n): Transaction {
    return {
      from,
      to,
      data,
      value: numberToHex(value),
      gas: numberToHex(gasLimit),
      gasPrice: toHex(10 ** 9),
    };
  }

  function newToken(creator: Address) {
    const { name, symbol } = tokenName(random);
    const burnPercent = random.integer(30, 70);
    const salt = concatHex([creator, numberToHex(BigInt(random.integer(0, 2 ** 31)), { size: 12 })]);
    return { name, symbol, burnPercent, salt };
  }

  function approve(token: MarketToken, from: Address, spender: Address): Transaction[] {
    if (token.approvals.has(`${from} ${spender.toLowerCase()}`)) return [];
    const data = encodeFunctionData({
      abi: launchTokenAbi,
      functionName: "approve",
      args: [spender, maxUint256],
    });
    return [transaction(from, token.address, data, gas.transfer)];
  }

  return {
    create(from: Address): Transaction[] {
      const { name, symbol, burnPercent, salt } = newToken(from);
      const data = random.chance(0.5)
        ? encodeFunctionData({
            abi: tokenFactoryAbi,
            functionName: "createToken",
            args: [name, symbol, burnPercent],
          })
        : encodeFunctionData({
            abi: tokenFactoryAbi,
            functionName: "createTokenWithSalt",
            args: [name, symbol, burnPercent, salt],
          });
      return [transaction(from, tokenFactory, data, gas.create)];
    },

    /**
     * Creates a token and buys from its curve in one transaction.
     *
     * @param bnb in BNB, not wei
     */
    createAndBuy(from: Address, bnb: number): Transaction[] {
      const { name, symbol, burnPercent, salt } = newToken(from);
      const data = encodeFunctionData({
        abi: tokenFactoryAbi,
        functionName: "createTokenAndBuy",
        args: [name, symbol, burnPercent, random.chance(0.5) ? zeroHash : salt, 0n],
      });
      return [transaction(from, tokenFactory, data, gas.create, parseEther(bnb.toFixed(18)))];
    },

    /** @param bnb in BNB, not wei */
    buy(token: MarketToken, from: Address, bnb: number): Transaction[] {
      const value = parseEther(bnb.toFixed(18));
      const data = token.graduated
        ? encodeFunctionData({
            abi: dexRouterAbi,
            functionName: "swapExactETHForTokens",
            args: [0n, [wbnb, token.address], from, noDeadline],
          })
        : encodeFunctionData({
            abi: launchpadAbi,
            functionName: "buy",
            args: [token.address, 0n, noDeadline],
          });
      return [transaction(from, token.graduated ? router : launchpad, data, gas.trade, value)];
    },

    /** @param amount base units */
    sell(token: MarketToken, from: Address, amount: bigint): Transaction[] {
      const spender = token.graduated ? router : launchpad;
      const data = token.graduated
        ? encodeFunctionData({
            abi: dexRouterAbi,
            functionName: "swapExactTokensForETH",
            args: [amount, 0n, [token.address, wbnb], from, noDeadline],
          })
        : encodeFunctionData({
            abi: launchpadAbi,
            functionName: "sell",
            args: [token.address, amount, 0n, noDeadline],
          });
      return [...approve(token, from, spender), transaction(from, spender, data, gas.trade)];
    },

    /** @param amount base units */
    transfer(token: MarketToken, from: Address, to: Address, amount: bigint): Transaction[] {
      const data = encodeFunctionData({ abi: launchTokenAbi, functionName: "transfer", args: [to, amount] });
      return [transaction(from, token.address, data, gas.transfer)];
    },
  };
}
