import type { Hex } from "viem";
import { expect, test } from "vitest";
import type { FirstBuyAnswer } from "../../quotes/first-buy.routes.ts";
import { firstBuyTransaction } from "../../quotes/transaction.ts";
import { encodeCreation, isBoundTo, isLaunch } from "./prepare-launch.ts";

const salt: Hex = `0x${"1".repeat(64)}`;
const token = { name: "Otter", symbol: "OTTER", burnPercent: 50, salt };
const quote = { amountInWei: "1000", minTokensOutRaw: "7" } as FirstBuyAnswer;
const bought = { amount: 1_000n, quote };
const none = { amount: 0n, quote: undefined };

const buying = (changes: Partial<typeof token> = {}, minTokensOut = 7n) =>
  firstBuyTransaction(`0x${"2".repeat(40)}`, { ...token, ...changes }, { amountIn: 1_000n, minTokensOut })
    .data;

test("a launch that matches its quote is accepted", () => {
  expect(isLaunch(buying(), token, bought)).toBe(true);
  expect(isLaunch(encodeCreation(token), token, none)).toBe(true);
  const plain = { ...token, salt: undefined };
  expect(isLaunch(encodeCreation(plain), plain, none)).toBe(true);
});

test.each([
  ["name", { name: "Orca" }],
  ["symbol", { symbol: "ORCA" }],
  ["burn", { burnPercent: 51 }],
  ["salt", { salt: `0x${"3".repeat(64)}` as Hex }],
])("another %s is noticed", (_, change) => {
  expect(isLaunch(buying(change), token, bought)).toBe(false);
  expect(isLaunch(encodeCreation({ ...token, ...change }), token, none)).toBe(false);
});

test("a salt is bound to the account that it begins with", () => {
  const account = `0x${"aB".repeat(20)}`;
  const bound = `0x${"ab".repeat(20)}${"1".repeat(24)}`;
  expect(isBoundTo(bound, account)).toBe(true);
  expect(isBoundTo(bound, `0x${"ac".repeat(20)}`)).toBe(false);
  expect(isBoundTo(bound, undefined)).toBe(false);
  expect(isBoundTo(`0x${"0".repeat(40)}${"1".repeat(24)}`, account)).toBe(false);
});

test("another purchase is noticed, and so is an unrequested one", () => {
  expect(isLaunch(buying({}, 6n), token, bought)).toBe(false);
  expect(isLaunch(buying(), token, { ...bought, amount: 999n })).toBe(false);
  expect(isLaunch(buying(), token, none)).toBe(false);
  expect(isLaunch(encodeCreation(token), token, bought)).toBe(false);
  expect(isLaunch("0x12345678", token, none)).toBe(false);
});
