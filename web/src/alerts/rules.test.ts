import { beforeAll, expect, test } from "vitest";
import { readTexts } from "../language/messages.ts";
import { type Draft, occasionsOf, receiverUrl, type Target, toRule } from "./rules.ts";

beforeAll(() => readTexts(["core"]));

const mint = `0x${"5a".repeat(20)}`;
const address = `0x${"12".repeat(20)}`;
const token: Target = { kind: "token", mint, graduated: false, now: {} };
const account: Target = { kind: "account", address };
const draft: Draft = {
  occasion: "trade",
  side: "all",
  minBnb: "",
  direction: "above",
  limit: "",
  currency: "usd",
  windowMinutes: "60",
  account: "",
  isOnce: false,
};

test.each<[Partial<Draft>, Target, object | undefined]>([
  [{}, token, { type: "events", kind: ["trade"], mint: [mint] }],
  [
    { side: "sell", minBnb: "0,50" },
    token,
    { type: "events", kind: ["trade"], mint: [mint], side: "sell", minBnb: "0.5" },
  ],
  [{ minBnb: "0" }, account, { type: "events", kind: ["trade"], trader: [address] }],
  [{ minBnb: "1e3" }, account, undefined],
  // Ten thousand, or ten.
  [{ minBnb: "10,000" }, account, undefined],
  [{ occasion: "marketCap", limit: "10,000" }, token, undefined],
  [{ occasion: "marketCap", limit: "69.000" }, token, undefined],
  [{ occasion: "created", side: "buy" }, account, { type: "events", kind: ["created"], creator: [address] }],
  [
    { occasion: "liquidityRemoved" },
    account,
    { type: "events", kind: ["liquidity_removed"], creator: [address] },
  ],
  [
    { occasion: "price", limit: "0.00001" },
    token,
    { type: "crosses", mint, metric: "priceUsd", above: "0.00001", hysteresisPercent: 5, repeat: "always" },
  ],
  [
    { occasion: "marketCap", limit: "7", currency: "bnb", direction: "below", isOnce: true },
    token,
    { type: "crosses", mint, metric: "marketCapBnb", below: "7", hysteresisPercent: 5, repeat: "once" },
  ],
  [
    { occasion: "volumeBnb", limit: "1" },
    token,
    {
      type: "crosses",
      mint,
      metric: "volumeBnb",
      above: "1",
      hysteresisPercent: 5,
      repeat: "always",
      windowMinutes: 60,
    },
  ],
  [
    { occasion: "accountPercent", limit: "10", account: address.toUpperCase().replace("0X", "0x") },
    token,
    {
      type: "crosses",
      mint,
      metric: "accountPercent",
      above: "10",
      hysteresisPercent: 5,
      repeat: "always",
      account: address,
    },
  ],
  [{ occasion: "accountPercent", limit: "10", account: "0x12" }, token, undefined],
  [{ occasion: "progress", limit: "100.1" }, token, undefined],
  [{ occasion: "progress" }, token, undefined],
])("a form with %j makes the rule of its target", (filled, target, rule) => {
  expect(toRule({ ...draft, ...filled }, target)).toEqual(rule);
});

test("what is offered fits the target", () => {
  expect(occasionsOf(token)).toContain("progress");
  expect(occasionsOf({ ...token, graduated: true })).not.toContain("progress");
  expect(occasionsOf({ ...token, graduated: true })).not.toContain("graduated");
  expect(occasionsOf(account)).toEqual(["trade", "created", "graduated", "liquidityRemoved"]);
});

test.each([
  [" https://bot.example ", "https://bot.example/"],
  ["HTTPS://Bot.Example/Path?a=1", "https://bot.example/Path?a=1"],
  ["bot.example", undefined],
  ["javascript:alert(1)", undefined],
  ["https://", undefined],
  ["", undefined],
])("of the receiver %j, the address is %j", (typed, url) => expect(receiverUrl(typed)).toBe(url));
