import fc from "fast-check";
import { expect, test } from "vitest";
import { addAmount, clamp, maxUint256, subtractAmount } from "./amounts.ts";

const uint256 = fc.bigInt(0n, maxUint256);

test("is plain arithmetic as long as the result is an ERC-20 amount", () => {
  fc.assert(
    fc.property(uint256, uint256, (left, right) => {
      fc.pre(left + right <= maxUint256);
      expect(addAmount(left, right)).toBe(left + right);
      expect(subtractAmount(left + right, right)).toBe(left);
    }),
  );
});

test("stays within what an ERC-20 can hold, whatever comes", () => {
  expect(addAmount(maxUint256, 1n)).toBe(maxUint256);
  expect(subtractAmount(0n, 1n)).toBe(0n);
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      const clamped = clamp(value);
      expect(clamped >= 0n && clamped <= maxUint256).toBe(true);
    }),
  );
});
