import { expect, test } from "vitest";
import { tabOfKey } from "./tab-key.ts";

const names = ["trades", "holders", "transfers"] as const;

test.each([
  ["ArrowRight", "trades", "holders"],
  ["ArrowRight", "transfers", "trades"],
  ["ArrowLeft", "transfers", "holders"],
  ["ArrowLeft", "trades", "transfers"],
  ["Home", "transfers", "trades"],
  ["End", "holders", "transfers"],
  ["ArrowDown", "trades", undefined],
  ["Tab", "trades", undefined],
] as const)("%s leads from %s to %s", (key, from, to) => {
  expect(tabOfKey(key, names, from)).toBe(to);
});
