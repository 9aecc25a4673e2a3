import { expect, test } from "vitest";
import { findContradictions } from "./token-on-chain.ts";

const token = { name: "Otter", symbol: "OTTER", creator: `0x${"ab".repeat(20)}`, burnPercent: 5 };
const actual = { ...token, launchpad: `0x${"cd".repeat(20)}` };

const messageOf = (claimed: string, name: string) =>
  findContradictions({ ...token, name: claimed }, { ...actual, name })[0]?.message;

test.each([
  ["Otter", "Otter\u200b", String.raw`is "Otter" in the request and "Otter\u200b" on the chain`],
  [
    "Rowing Otter",
    "Rowing\u00a0Otter",
    String.raw`is "Rowing Otter" in the request and "Rowing\u00a0Otter" on the chain`,
  ],
  ["Caf\u00e9", "Cafe\u0301", String.raw`is "Caf\u00e9" in the request and "Cafe\u0301" on the chain`],
  ["Otter", "\u041etter", String.raw`is "Otter" in the request and "\u041etter" on the chain`],
  ["火箭蛙", "火箭狗", 'is "火箭蛙" in the request and "火箭狗" on the chain'],
  ["🦦", "🦦\u{e0041}", String.raw`is "\ud83e\udda6" in the request and "\ud83e\udda6\udb40\udc41" on the chain`],
])("a difference that can't be seen is shown: %j, %j", (claimed, name, message) => {
  expect(messageOf(claimed, name)).toBe(message);
});
