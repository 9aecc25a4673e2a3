import { expect, test } from "vitest";
import { lookHash, looksLike } from "./look-alike.ts";

test.each([
  ["PEPE", "pepe"],
  ["PEPE", "ＰＥＰＥ"],
  ["PEPE", "РЕРЕ"],
  ["PEPE", "P\u200bE\u2060P\ufeffE"],
  ["PEPE", "\u202ePEPE\u202c"],
  ["PEPE", "P̈é.p-E ™"],
  ["PEPE", "P\u20d2E\u1ab0P\ufe20E\u1dc0"],
  ["PEPE", "P\u0483E\u0591P\u064bE\u0e31"],
  ["PEPE", "\u20d2PEPE"],
  ["PEPE", "PE\u2800PE"],
  ["PEPE", "ᴘᴇᴘᴇ"],
  ["PEPE", "🅿🅔🅟🅴"],
  ["$PEPE", "ΡΕΡΕ"],
  ["PEPE", "𝓟𝓔𝓟𝓔"],
  ["HODL", "ΗΟDL"],
  ["WIF", "WlF"],
  ["WIF", "W1F"],
  ["мoоn", "rnoon"],
  ["DOGE", "D0GE"],
  ["Baby Doge", "babydoge"],
  ["火箭蛙", "火箭\u200d蛙"],
  ["口力", "ロカ"],
  ["🚀", "🚀\ufe0f"],
  ["👍", "👍🏽"],
])("%j looks like %j", (left, right) => {
  expect(looksLike(left, right)).toBe(true);
  expect(looksLike(right, left)).toBe(true);
  expect(lookHash(left)).toBe(lookHash(right));
});

test.each([
  ["AI", "AL"],
  ["BURN", "BUM"],
  ["PEPE", "PEPE2"],
  ["火箭蛙", "火箭哇"],
  ["か", "が"],
  ["กา", "กี"],
  ["कि", "की"],
  ["🚀", "🛸"],
  ["кот", "кит"],
])("%j doesn't look like %j", (left, right) => expect(looksLike(left, right)).toBe(false));

test.each(["", " ", "\u200b", "\u202e\u2069", "\u0301".repeat(32), "\u0489", "...", "$$", "\ufe0f", "\0"])(
  "%j has no letters, and looks like nothing",
  (name) => {
    expect(lookHash(name)).toBeNull();
    expect(looksLike(name, name)).toBe(false);
  },
);

test("names of any length and of anything have a hash, quickly", () => {
  const started = performance.now();
  for (const name of ["x".repeat(1_000_000), "\ufdfa".repeat(100_000), "a\ud800", "ﷺ\u0344".repeat(9)]) {
    expect(lookHash(name)).toMatch(/^0x[0-9a-f]{64}$/);
  }
  // Milliseconds for each. Comparing each pair of letters would take an hour.
  expect(performance.now() - started).toBeLessThan(10_000);
});
