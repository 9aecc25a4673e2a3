import { encodeAbiParameters, encodeEventTopics, type Hex } from "viem";
import { expect, test } from "vitest";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { fillOf, type Log } from "./fill.ts";

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [mint, launchpad, pair, trader] = ["a", "b", "c", "d"].map(address) as [Hex, Hex, Hex, Hex];
const uints = (...values: bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" })),
    values,
  );

const trade = (token: Hex, isBuy: boolean, bnb: bigint, tokens: bigint): Log => ({
  address: launchpad.toUpperCase().replace("0X", "0x"),
  topics: encodeEventTopics({
    abi: launchpadAbi,
    eventName: "Trade",
    args: { token, trader },
  }) as string[],
  data: uints(isBuy ? 1n : 0n, bnb, tokens, 7n, 7n),
});

const swap = (...amounts: [bigint, bigint, bigint, bigint]): Log => ({
  address: pair,
  topics: encodeEventTopics({
    abi: dexPairAbi,
    eventName: "Swap",
    args: { sender: trader, to: trader },
  }) as string[],
  data: uints(...amounts),
});

const on = { mint, launchpad, pair };

test("a trade on the curve is read from the launchpad's event of this token", () => {
  const logs = [trade(trader, true, 1n, 1n), trade(mint, true, 5n, 700n)];
  expect(fillOf(logs, { ...on, side: "buy" })).toEqual({ bnb: 5n, tokens: 700n });
});

test("a trade on the DEX is read from the pair's swap, in whichever order its tokens are", () => {
  expect(fillOf([swap(5n, 0n, 0n, 700n)], { ...on, side: "buy" })).toEqual({ bnb: 5n, tokens: 700n });
  expect(fillOf([swap(0n, 5n, 700n, 0n)], { ...on, side: "buy" })).toEqual({ bnb: 5n, tokens: 700n });
  expect(fillOf([swap(700n, 0n, 0n, 5n)], { ...on, side: "sell" })).toEqual({ bnb: 5n, tokens: 700n });
});

test("events of other contracts and other tokens are not this trade", () => {
  const other = { ...trade(mint, true, 5n, 700n), address: trader };
  const logs = [other, { ...swap(5n, 0n, 0n, 700n), address: trader }, trade(trader, false, 1n, 1n)];
  expect(fillOf(logs, { ...on, side: "buy" })).toBeUndefined();
  expect(fillOf([], { ...on, pair: null, side: "sell" })).toBeUndefined();
});
