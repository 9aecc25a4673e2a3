import { expect, test } from "vitest";
import { typedSlippage } from "./settings.ts";

test.each([
  ["0.5", "0.5"],
  ["2,5", "2.5"],
  [" 50 ", "50"],
  ["0.01", "0.01"],
  [".5", "0.5"],
  [",05", "0.05"],
  // Whoever clears the field has no limit of their own any more.
  ["", "1"],
  [" ", "1"],
])("%j is a slippage limit of %s %%", (text, limit) => {
  expect(typedSlippage(text)).toBe(limit);
});

test.each(["0", "0.00", ".00", "50.01", "51", "0.001", ".001", "-1", "1e1", "1 %", "1.", ".", ",", "..5"])(
  "%j is none",
  (text) => {
    expect(typedSlippage(text)).toBeUndefined();
  },
);
