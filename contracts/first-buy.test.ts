import { type Address, type Hex, parseEventLogs, zeroHash } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { launchTokenAbi } from "../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import { expectFairGraduation } from "./test/graduation.ts";
import {
  alice,
  billion,
  bob,
  creator,
  fullPrice,
  type Harness,
  milliBnb,
  startHarness,
} from "./test/harness.ts";
import { boundSalt, createdToken, expectRevert, gasCost } from "./test/outcomes.ts";

let chain: Harness;
let snapshot: Hex;

beforeAll(async () => {
  chain = await startHarness();
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

const salt = boundSalt(alice, 1);
const bnbOf = (address: Address) => chain.publicClient.getBalance({ address });

const named = ({ logs }: { logs: Parameters<typeof parseEventLogs>[0]["logs"] }) =>
  parseEventLogs({ abi: [...tokenFactoryAbi, ...launchpadAbi, ...launchTokenAbi], logs }).map(
    ({ eventName, args }) => ({ eventName, ...args }),
  );

test.each([
  ["without a salt", zeroHash],
  ["with a salt", salt],
])("creates and buys %s what a creation and a buy after it would", async (_, givenSalt) => {
  const start = await chain.testClient.snapshot();
  const twice = { burnPercent: 41 };
  const byTwo =
    givenSalt === zeroHash
      ? await chain.createToken({ ...twice, from: alice })
      : await chain.createTokenWithSalt(givenSalt, { ...twice, from: alice });
  const trade = named(await chain.buy(byTwo, 7n * milliBnb + 1n)).find(
    ({ eventName }) => eventName === "Trade",
  );
  const curve = await chain.curve(byTwo);
  await chain.testClient.revert({ id: start });

  const before = await bnbOf(alice);
  const receipt = await chain.createTokenAndBuy(7n * milliBnb + 1n, { ...twice, salt: givenSalt });
  const token = createdToken(receipt);
  expect(token).toBe(byTwo);
  expect(await chain.curve(token)).toEqual(curve);
  expect(await chain.balanceOf(token, alice)).toBe(curve.tokensSold);
  expect(await bnbOf(alice)).toBe(before - 7n * milliBnb - 1n - gasCost(receipt));
  expect(await bnbOf(chain.launchpad)).toBe(7n * milliBnb + 1n);

  const events = named(receipt);
  expect(events.map(({ eventName }) => eventName)).toEqual([
    "Transfer",
    "TokenCreated",
    "Transfer",
    "CurveOpened",
    "Trade",
    "Transfer",
  ]);
  expect(events[1]).toMatchObject({ token, creator: alice, burnPercent: 41, salt: givenSalt });
  expect(events[3]).toMatchObject({ token, creator: alice });
  expect(events[4]).toEqual(trade);
  expect(trade).toMatchObject({ trader: alice, isBuy: true });
});

test("the zero salt gives the address of createToken, any number of times", async () => {
  for (const from of [alice, bob, alice]) {
    const expected = await chain.predictNextTokenAddress(from);
    expect(createdToken(await chain.createTokenAndBuy(1n, { from }))).toBe(expected);
  }
});

test("sells out the curve at once, refunds the rest, and ends with Graduated", async () => {
  const before = await bnbOf(bob);
  const receipt = await chain.createTokenAndBuy(10n * fullPrice, {
    salt: boundSalt(bob, 1),
    from: bob,
    minTokensOut: 3n * billion,
  });
  const token = createdToken(receipt);
  await expectFairGraduation(chain, token, receipt);
  expect(await bnbOf(bob)).toBe(before - fullPrice - gasCost(receipt));
  expect(await chain.balanceOf(token, bob)).toBe((billion * 3n) / 10n);
  expect(named(receipt).at(-1)).toMatchObject({ eventName: "Graduated", token });
});

test("reverts with InsufficientOutput, and one token less goes through", async () => {
  const start = { bnb: 100n * milliBnb, tokens: (billion * 9n) / 10n };
  const tokensOut = (start.tokens * milliBnb) / (start.bnb + milliBnb);
  const buy = (minTokensOut: bigint) => chain.createTokenAndBuy(milliBnb, { salt, minTokensOut });
  await expectRevert(buy(tokensOut + 1n), "InsufficientOutput", [tokensOut, tokensOut + 1n]);
  await buy(tokensOut);
});

test("reverts like createToken, createTokenWithSalt and buy", async () => {
  const token = await chain.createTokenWithSalt(salt, { from: alice });
  const buy = (changes: object, value = milliBnb) => chain.createTokenAndBuy(value, changes);
  await expectRevert(buy({ salt }), "SaltAlreadyUsed", [salt, token]);
  await expectRevert(buy({ salt, from: bob }), "SaltOfAnotherAccount", [alice, bob]);
  await expectRevert(buy({ burnPercent: 71 }), "BurnPercentOutOfRange", [71]);
  await expectRevert(buy({ name: "", salt }), "NameLengthOutOfRange", [0n]);
  await expectRevert(buy({ symbol: "S".repeat(17) }), "SymbolLengthOutOfRange", [17n]);
  await expectRevert(buy({}, 0n), "ZeroAmount");
});

test("the factory keeps no BNB, and accepts none except to create a token", async () => {
  await chain.createTokenAndBuy(3n * fullPrice);
  expect(await bnbOf(chain.tokenFactory)).toBe(0n);
  await expect(chain.send(creator, chain.tokenFactory, "0x", 1n)).rejects.toThrow("reverted");
});
