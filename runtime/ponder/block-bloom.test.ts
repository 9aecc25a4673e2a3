import * as viem from "viem";
import { expect, test } from "vitest";
import { hexToBytes, keccak256 } from "./block-bloom.ts";

const topic = (index: number) => viem.numberToHex(index, { size: 32 });

test("results are viem's, and the same ones for the same input", () => {
  expect(keccak256(topic(1))).toBe(viem.keccak256(topic(1)));
  expect(keccak256(topic(2))).toBe(viem.keccak256(topic(2)));
  const bytes = hexToBytes(topic(1));
  expect(bytes).toEqual(viem.hexToBytes(topic(1)));
  expect(hexToBytes(topic(1))).toBe(bytes);
});

test("results are forgotten before they fill the memory", () => {
  const first = hexToBytes(topic(0));
  for (let index = 1; index <= 20_000; index++) hexToBytes(topic(index));
  expect(hexToBytes(topic(0))).not.toBe(first);
});
