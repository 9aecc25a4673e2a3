import { type Address, encodeFunctionData, type Hex, parseEventLogs, zeroAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { expectFairGraduation } from "./test/graduation.ts";
import {
  alice,
  bob,
  carol,
  fullPrice,
  type Harness,
  halfBurned,
  milliBnb,
  startHarness,
} from "./test/harness.ts";
import { boundSalt, createdToken, expectRevert, gasCost } from "./test/outcomes.ts";

/* Trades whose proceeds go to others, and those with absolute limits. */

const { startTokens, totalToSell, startBnb } = halfBurned;

let chain: Harness;
let token: Address;
let snapshot: Hex;

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
const tokensFor = (bnb: bigint) => (startTokens * bnb) / (startBnb + bnb);
/** The least BNB that buys so many tokens of a new curve. */
const costOf = (tokens: bigint) => (startBnb * tokens + startTokens - tokens - 1n) / (startTokens - tokens);

test("buyFor buys what buy does, for its recipient", async () => {
  const tokensOut = tokensFor(milliBnb);
  const before = await bnbOf(alice);
  const receipt = await chain.buyFor(token, milliBnb, bob, alice, tokensOut);
  expect(tradesIn(receipt)).toMatchObject([{ trader: bob, isBuy: true, tokenAmount: tokensOut }]);
  expect(await chain.balanceOf(token, bob)).toBe(tokensOut);
  expect(await chain.balanceOf(token, alice)).toBe(0n);
  expect(await bnbOf(alice)).toBe(before - milliBnb - gasCost(receipt));
  const { virtualBnbReserves, virtualTokenReserves } = await chain.curve(token);
  expect([virtualBnbReserves, virtualTokenReserves]).toEqual([startBnb + milliBnb, startTokens - tokensOut]);
});

test("the limit of buyFor is absolute, also where that of buy is a price", async () => {
  const minimum = 10n ** 24n;
  // Almost everything is sold: what is left, 4 billion base units or so, is cheap enough for the price.
  await chain.buy(token, fullPrice - 1n, bob);
  const { realTokenReserves: left } = await chain.curve(token);
  expect(left).toBeLessThan(10n ** 11n);
  await expectRevert(chain.buyFor(token, milliBnb, alice, alice, minimum), "InsufficientOutput", [
    left,
    minimum,
  ]);
  await expectRevert(chain.buyFor(token, milliBnb, alice, alice, left + 1n), "InsufficientOutput");
  const start = await chain.testClient.snapshot();
  await chain.buy(token, milliBnb, alice, minimum);
  await chain.testClient.revert({ id: start });

  const before = await bnbOf(alice);
  const receipt = await chain.buyFor(token, milliBnb, carol, alice, left);
  await expectFairGraduation(chain, token, receipt);
  expect(await chain.balanceOf(token, carol)).toBe(left);
  // The rest goes to the payer.
  expect(await bnbOf(alice)).toBe(before - 1n - gasCost(receipt));
});

test("buyExactOut buys exactly that, at the least price, and refunds the rest to the payer", async () => {
  for (const tokensOut of [1n, 123_456_789n * 10n ** 18n + 1n, totalToSell - 10n ** 18n]) {
    const start = await chain.testClient.snapshot();
    const cost = costOf(tokensOut);
    expect(tokensFor(cost)).toBeGreaterThanOrEqual(tokensOut);
    expect(tokensFor(cost - 1n)).toBeLessThan(tokensOut);
    await expectRevert(chain.buyExactOut(token, tokensOut, cost - 1n), "InsufficientInput", [
      cost - 1n,
      cost,
    ]);
    const before = await bnbOf(alice);
    const receipt = await chain.buyExactOut(token, tokensOut, cost + 5n, alice, bob);
    expect(tradesIn(receipt)).toMatchObject([{ trader: bob, bnbAmount: cost, tokenAmount: tokensOut }]);
    expect(await bnbOf(alice)).toBe(before - cost - gasCost(receipt));
    expect(await bnbOf(chain.launchpad)).toBe(cost);
    expect(await chain.balanceOf(token, bob)).toBe(tokensOut);
    await chain.testClient.revert({ id: start });
  }
});

test("buyExactOut of all that is left graduates the token, and of one more it buys nothing", async () => {
  await chain.buy(token, 30n * milliBnb + 1n, bob);
  const { realTokenReserves: left } = await chain.curve(token);
  const cost = 20n * milliBnb - 1n;
  await expectRevert(chain.buyExactOut(token, left + 1n, fullPrice), "InsufficientOutput", [left, left + 1n]);
  await expectRevert(chain.buyExactOut(token, left, cost - 1n), "InsufficientInput", [cost - 1n, cost]);
  const receipt = await chain.buyExactOut(token, left, fullPrice, alice, bob);
  await expectFairGraduation(chain, token, receipt);
  expect(tradesIn(receipt)).toMatchObject([{ bnbAmount: cost, tokenAmount: left }]);
});

test("a buyExactOut that costs as much as all that is left gets all of it, and never leaves a curve sold out but open", async () => {
  const { realTokenReserves: all } = await chain.curve(token);
  // Of a new curve, the last wei buys some four billion base units.
  const receipt = await chain.buyExactOut(token, all - 1n, 2n * fullPrice, alice, bob);
  await expectFairGraduation(chain, token, receipt);
  expect(await chain.balanceOf(token, bob)).toBe(all);
  expect(tradesIn(receipt)).toMatchObject([{ bnbAmount: fullPrice, tokenAmount: all }]);
});

test("buyExactOut reverts with ZeroAmount, DeadlineExpired, UnknownToken and AlreadyGraduated", async () => {
  await expectRevert(chain.buyExactOut(token, 0n, milliBnb), "ZeroAmount");
  await expectRevert(chain.buyExactOut(alice, 1n, milliBnb), "UnknownToken", [alice]);
  for (const functionName of ["buyExactOut", "buyFor"] as const) {
    const data = encodeFunctionData({ abi: launchpadAbi, functionName, args: [token, bob, 1n, 0n] });
    await expectRevert(chain.send(alice, chain.launchpad, data, milliBnb), "DeadlineExpired", [0n]);
  }
  await expectRevert(chain.buyFor(token, 0n, bob), "ZeroAmount");
  await chain.buy(token, fullPrice);
  await expectRevert(chain.buyExactOut(token, 1n, milliBnb), "AlreadyGraduated", [token]);
  await expectRevert(chain.buyFor(token, milliBnb, bob), "AlreadyGraduated", [token]);
});

test("sellTo sells the caller's tokens and pays its recipient", async () => {
  await chain.buy(token, 20n * milliBnb);
  await chain.approve(token);
  const { virtualBnbReserves, virtualTokenReserves } = await chain.curve(token);
  const tokens = (await chain.balanceOf(token, alice)) / 3n;
  const bnb = (virtualBnbReserves * tokens) / (virtualTokenReserves + tokens);
  await expectRevert(chain.sellTo(token, tokens, bob, alice, bnb + 1n), "InsufficientOutput", [
    bnb,
    bnb + 1n,
  ]);
  const before = [await bnbOf(alice), await bnbOf(bob)] as const;
  const receipt = await chain.sellTo(token, tokens, bob, alice, bnb);
  expect(tradesIn(receipt)).toMatchObject([
    { trader: alice, isBuy: false, bnbAmount: bnb, tokenAmount: tokens },
  ]);
  expect([await bnbOf(alice), await bnbOf(bob)]).toEqual([before[0] - gasCost(receipt), before[1] + bnb]);
  // Nobody sells for another account.
  await expectRevert(chain.sellTo(token, tokens, bob, bob), "ERC20InsufficientAllowance");
});

test("the zero address and the launchpad receive nothing", async () => {
  await chain.buy(token, 20n * milliBnb);
  await chain.approve(token);
  for (const recipient of [zeroAddress, chain.launchpad]) {
    const refused = (trade: Promise<unknown>) => expectRevert(trade, "InvalidRecipient", [recipient]);
    await refused(chain.buyFor(token, milliBnb, recipient));
    await refused(chain.buyExactOut(token, 1n, milliBnb, alice, recipient));
    await refused(chain.sellTo(token, 10n ** 24n, recipient));
    await refused(chain.createTokenAndBuy(milliBnb, { recipient }));
  }
});

test("createFor makes the caller the creator, gives the tokens to its recipient and the rest back to the caller", async () => {
  const salt = boundSalt(alice, 1);
  await expectRevert(
    chain.createTokenAndBuy(milliBnb, { salt, recipient: alice, from: bob }),
    "SaltOfAnotherAccount",
    [alice, bob],
  );
  const before = await bnbOf(alice);
  const receipt = await chain.createTokenAndBuy(3n * fullPrice, { salt, recipient: bob, from: alice });
  const created = createdToken(receipt);
  await expectFairGraduation(chain, created, receipt);
  expect(created).toBe(await chain.predictTokenAddress(salt));
  expect(tradesIn(receipt)).toMatchObject([{ trader: bob, tokenAmount: totalToSell }]);
  expect(await chain.balanceOf(created, bob)).toBe(totalToSell);
  expect(await bnbOf(alice)).toBe(before - fullPrice - gasCost(receipt));
  expect(await chain.creatorOf(created)).toBe(alice);
});
