import { type Address, encodeFunctionData, parseEventLogs } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import {
  alice,
  bob,
  forever,
  fullPrice,
  type Harness,
  halfBurned,
  milliBnb,
  startHarness,
} from "./test/harness.ts";
import { expectRevert, gasCost } from "./test/outcomes.ts";

const { startTokens, totalToSell, startBnb } = halfBurned;

let chain: Harness;
let token: Address;
let snapshot: `0x${string}`;

beforeAll(async () => {
  chain = await startHarness();
  token = await chain.createToken();
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

const bnbOf = (address: Address) => chain.publicClient.getBalance({ address });
const tradesIn = ({ logs }: Awaited<ReturnType<Harness["buy"]>>) =>
  parseEventLogs({ abi: launchpadAbi, eventName: "Trade", logs }).map(({ args }) => args);

test("the getters name the deployment", async () => {
  const read = (functionName: "factory" | "dexFactory" | "router" | "wbnb") =>
    chain.publicClient.readContract({ address: chain.launchpad, abi: launchpadAbi, functionName });
  expect(await read("factory")).toBe(chain.tokenFactory);
  expect(await read("dexFactory")).toBe(chain.dexFactory);
  expect(await read("router")).toBe(chain.router);
  expect(await read("wbnb")).toBe(chain.wbnb);
});

test("curves starts with the documented terms, and is zero for an unknown token", async () => {
  const fresh = {
    realTokenReserves: totalToSell,
    tokensSold: 0n,
    totalToSell,
    burnPercent: 50,
    graduated: false,
  };
  expect(await chain.curve(token)).toEqual({
    virtualBnbReserves: startBnb,
    virtualTokenReserves: startTokens,
    ...fresh,
  });
  expect(await chain.curve(alice)).toEqual({
    virtualBnbReserves: 0n,
    virtualTokenReserves: 0n,
    realTokenReserves: 0n,
    tokensSold: 0n,
    totalToSell: 0n,
    burnPercent: 0,
    graduated: false,
  });
});

test("buy pays out by the constant product, rounded down", async () => {
  const value = 7n * milliBnb + 1n;
  const tokenAmount = (startTokens * value) / (startBnb + value);
  const trade = {
    token,
    trader: alice,
    isBuy: true,
    bnbAmount: value,
    tokenAmount,
    virtualBnbReserves: startBnb + value,
    virtualTokenReserves: startTokens - tokenAmount,
  };

  const receipt = await chain.buy(token, value, alice, tokenAmount);
  expect(tradesIn(receipt)).toEqual([trade]);
  expect(await chain.balanceOf(token, alice)).toBe(tokenAmount);
  expect(await bnbOf(chain.launchpad)).toBe(value);
  expect(await chain.curve(token)).toEqual({
    virtualBnbReserves: trade.virtualBnbReserves,
    virtualTokenReserves: trade.virtualTokenReserves,
    realTokenReserves: totalToSell - tokenAmount,
    tokensSold: tokenAmount,
    totalToSell,
    burnPercent: 50,
    graduated: false,
  });
});

test("sell pays out by the constant product, rounded down", async () => {
  await chain.buy(token, 20n * milliBnb);
  await chain.approve(token);
  const { virtualBnbReserves, virtualTokenReserves } = await chain.curve(token);
  const tokenAmount = (await chain.balanceOf(token, alice)) / 3n;
  const bnbAmount = (virtualBnbReserves * tokenAmount) / (virtualTokenReserves + tokenAmount);

  const before = await bnbOf(alice);
  const receipt = await chain.sell(token, tokenAmount, alice, bnbAmount);
  expect(tradesIn(receipt)).toEqual([
    {
      token,
      trader: alice,
      isBuy: false,
      bnbAmount,
      tokenAmount,
      virtualBnbReserves: virtualBnbReserves - bnbAmount,
      virtualTokenReserves: virtualTokenReserves + tokenAmount,
    },
  ]);
  expect(await bnbOf(alice)).toBe(before + bnbAmount - gasCost(receipt));
  expect(await chain.curve(token)).toMatchObject({
    virtualBnbReserves: virtualBnbReserves - bnbAmount,
    virtualTokenReserves: virtualTokenReserves + tokenAmount,
    tokensSold: startTokens - virtualTokenReserves - tokenAmount,
  });
});

test("a buy past the end gets what is left, refunds the rest to the wei and graduates", async () => {
  await chain.buy(token, 30n * milliBnb + 1n, bob);
  const { realTokenReserves } = await chain.curve(token);
  const cost = 20n * milliBnb - 1n;

  const before = await bnbOf(alice);
  const receipt = await chain.buy(token, 5n * 10n ** 18n, alice, realTokenReserves);
  expect(await bnbOf(alice)).toBe(before - cost - gasCost(receipt));
  expect(await chain.balanceOf(token, alice)).toBe(realTokenReserves);
  expect(tradesIn(receipt)[0]).toMatchObject({ bnbAmount: cost, tokenAmount: realTokenReserves });
  expect(await bnbOf(chain.launchpad)).toBe(0n);
  expect(await chain.curve(token)).toEqual({
    virtualBnbReserves: 150n * milliBnb,
    virtualTokenReserves: startTokens - totalToSell,
    realTokenReserves: 0n,
    tokensSold: totalToSell,
    totalToSell,
    burnPercent: 50,
    graduated: true,
  });
});

test("one wei short of the end leaves the curve open, and one more wei graduates it", async () => {
  await chain.buy(token, fullPrice - 1n);
  const short = await chain.curve(token);
  expect(short.graduated).toBe(false);
  expect(short.realTokenReserves).toBeGreaterThan(0n);
  await chain.buy(token, 1n, bob);
  expect((await chain.curve(token)).graduated).toBe(true);
});

test("openingTerms returns what a curve opens with, and where it ends", async () => {
  for (const burnPercent of [30, 41, 70]) {
    const fresh = await chain.curve(await chain.createToken({ burnPercent }));
    const read = { address: chain.launchpad, abi: launchpadAbi, functionName: "openingTerms" } as const;
    expect(await chain.publicClient.readContract({ ...read, args: [burnPercent] })).toEqual([
      fresh.virtualBnbReserves,
      fresh.virtualTokenReserves,
      fresh.totalToSell,
      startBnb + fullPrice,
    ]);
  }
});

test("buyFirst reverts with NotFactory for everybody else", async () => {
  const args = [token, alice, alice, 0n] as const;
  const data = encodeFunctionData({ abi: launchpadAbi, functionName: "buyFirst", args });
  await expectRevert(chain.send(alice, chain.launchpad, data, milliBnb), "NotFactory", [alice]);
});

test("two tokens have separate curves", async () => {
  const other = await chain.createToken({ burnPercent: 30 });
  await chain.buy(token, milliBnb);
  expect((await chain.curve(other)).tokensSold).toBe(0n);
  await chain.buy(other, fullPrice, bob, 0n, forever);
  expect((await chain.curve(token)).graduated).toBe(false);
});
