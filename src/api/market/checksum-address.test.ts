import fc from "fast-check";
import { type Address, getAddress } from "viem";
import { expect, test } from "vitest";
import { checksumAddress } from "./checksum-address.ts";

test("every address gets the checksum that viem gives it", () => {
  const digit = fc.constantFrom(..."0123456789abcdefABCDEF");
  fc.assert(
    fc.property(fc.string({ unit: digit, minLength: 40, maxLength: 40 }), (digits) => {
      expect(checksumAddress(`0x${digits}`)).toBe(getAddress(`0x${digits.toLowerCase()}` as Address));
    }),
  );
});
