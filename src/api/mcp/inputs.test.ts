import fc from "fast-check";
import { expect, test } from "vitest";
import { payableAccount, toPlainDecimal } from "./inputs.ts";

test("a number is written without an exponent, and reads back as itself", () => {
  expect(toPlainDecimal(undefined, 18)).toBeUndefined();
  expect([1e-7, 0.1 + 0.2, 5e8].map((value) => toPlainDecimal(value, 18))).toEqual([
    "0.0000001",
    "0.30000000000000004",
    "500000000",
  ]);
  expect(toPlainDecimal(1.23456789, 6)).toBe("1.234568");
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 999_999_999, noNaN: true }), (value) => {
      const written = toPlainDecimal(value, 18) ?? "";
      expect(written).toMatch(/^\d{1,9}(\.\d{1,18})?$/);
      expect(Number(written)).toBe(value);
    }),
  );
});

test("an account with a wrong checksum is refused", () => {
  const account = payableAccount("The account that signs.");
  expect(account.parse("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")).toBe(
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
  );
  expect(() => account.parse("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee")).toThrow("wrong checksum");
});
