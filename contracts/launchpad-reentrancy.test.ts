import { type Address, encodeFunctionData, parseEventLogs, toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { alice, fullPrice, type Harness, milliBnb, startHarness } from "./test/harness.ts";
import { artifact, expectRevert } from "./test/outcomes.ts";

const reactions = {
  ...{ accept: 0, refuse: 1, buy: 2, sell: 3, create: 4 },
  ...{ buyFor: 5, buyExactOut: 6, sellTo: 7, sellWithPermit: 8 },
};
const answers = ["buy", "buyFor", "buyExactOut", "sell", "sellTo", "sellWithPermit", "create"] as const;

let chain: Harness;
let token: Address;
let trader: Address;
let snapshot: `0x${string}`;

beforeAll(async () => {
  chain = await startHarness();
  token = await chain.createToken();
  trader = await chain.deploy("test/ReentrantTrader", [chain.launchpad, token], 10n ** 18n);
  await callTrader("buy", [10n * milliBnb]);
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

function callTrader(functionName: "buy" | "sell" | "createAndBuy" | "setReaction", args: unknown[]) {
  const { abi } = artifact("test/ReentrantTrader");
  return chain.send(alice, trader, encodeFunctionData({ abi, functionName, args }));
}

const read = (functionName: "answers" | "refusal") =>
  chain.publicClient.readContract({
    address: trader,
    abi: artifact("test/ReentrantTrader").abi,
    functionName,
  });

test("a contract that accepts its BNB trades like anybody", async () => {
  await callTrader("sell", [10n ** 24n]);
  await callTrader("buy", [fullPrice]);
  expect((await chain.curve(token)).graduated).toBe(true);
});

test("buy and sell revert with BnbTransferFailed when the receiver refuses its BNB", async () => {
  await callTrader("setReaction", [reactions.refuse]);
  await expectRevert(callTrader("sell", [10n ** 24n]), "BnbTransferFailed", [trader]);
  await expectRevert(callTrader("buy", [fullPrice]), "BnbTransferFailed", [trader]);
  await expectRevert(callTrader("createAndBuy", [2n * fullPrice]), "BnbTransferFailed", [trader]);
  // A buy that leaves nothing over sends it nothing.
  await callTrader("buy", [milliBnb]);
});

test.each(answers)("a %s from within a refund or a payout is refused", async (reaction) => {
  await callTrader("setReaction", [reactions[reaction]]);
  const curve = await chain.curve(token);
  const receipt = await callTrader("sell", [10n ** 24n]);
  expect(await read("refusal")).toBe(toFunctionSelector("ReentrancyGuardReentrantCall()"));
  expect(parseEventLogs({ abi: launchpadAbi, eventName: "Trade", logs: receipt.logs })).toHaveLength(1);
  expect((await chain.curve(token)).tokensSold).toBe(curve.tokensSold - 10n ** 24n);

  await callTrader("setReaction", [reactions[reaction]]);
  await callTrader("buy", [fullPrice]);
  expect(await read("refusal")).toBe(toFunctionSelector("ReentrancyGuardReentrantCall()"));

  await callTrader("setReaction", [reactions[reaction]]);
  await callTrader("createAndBuy", [2n * fullPrice]);
  expect(await read("refusal")).toBe(toFunctionSelector("ReentrancyGuardReentrantCall()"));
  expect(await read("answers")).toBe(3n);
});

test.each(answers)("the same %s outside of a trade goes through", async (reaction) => {
  await callTrader("setReaction", [reactions[reaction]]);
  await chain.send(alice, trader, "0x", 1n);
  expect(await read("answers")).toBe(1n);
  expect(await read("refusal")).toBe("0x");
});
