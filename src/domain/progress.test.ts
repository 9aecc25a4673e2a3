import fc from "fast-check";
import { expect, test } from "vitest";
import { curveProgress } from "./price.ts";

test("is the percentage that is sold, rounded down to 4 decimals", () => {
  expect(curveProgress(0n, 300n, false)).toBe(0);
  expect(curveProgress(1n, 3n, false)).toBe(33.3333);
  expect(curveProgress(2n, 3n, false)).toBe(66.6666);
});

test("is 100 when and only when the token has graduated", () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 30n),
      fc.bigInt(0n, 10n ** 30n),
      fc.boolean(),
      (sold, total, graduated) => {
        const progress = curveProgress(sold, total, graduated);
        expect(progress === 100).toBe(graduated);
        expect(progress >= 0 && progress <= 100).toBe(true);
        expect(progress).toBe(Number(progress.toFixed(4)));
      },
    ),
  );
});
