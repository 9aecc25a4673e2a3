import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kernelFilter, matchesPattern, PatternError, parsePattern } from "./pattern.ts";

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF"), maxLength });

describe("parsePattern", () => {
  test("takes hexadecimal digits of any case, and a 0x before the prefix", () => {
    expect(parsePattern({ suffix: "5aFE" })).toEqual({ prefix: "", suffix: "5afe" });
    expect(parsePattern({ prefix: "0xAB", suffix: "" })).toEqual({ prefix: "ab", suffix: "" });
    expect(parsePattern({ prefix: "0".repeat(20), suffix: "f".repeat(20) }).suffix).toHaveLength(20);
  });

  test.each([
    [{}, "A prefix or a suffix of at least one"],
    [{ prefix: "0x" }, "A prefix or a suffix of at least one"],
    [{ suffix: "0xfe" }, 'The suffix must be hexadecimal digits (0-9, a-f): "0xfe"'],
    [{ prefix: "safe" }, "The prefix must be hexadecimal digits"],
    [{ suffix: "5afe\n" }, "The suffix must be hexadecimal digits"],
    [{ prefix: "0".repeat(20), suffix: "0".repeat(21) }, "An address has 40 digits"],
  ])("refuses %j", (pattern, message) => {
    expect(() => parsePattern(pattern)).toThrow(PatternError);
    expect(() => parsePattern(pattern)).toThrow(message);
  });
});

test("a filter accepts every digest whose address matches the pattern, and with four digits no other", () => {
  const property = fc.property(
    digits(20),
    digits(20),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.boolean(),
    (prefix, suffix, digest, isToMatch) => {
      fc.pre(prefix.length + suffix.length > 0);
      const pattern = parsePattern({ prefix, suffix });
      const random = Buffer.from(digest).toString("hex").slice(24);
      const middle = random.slice(pattern.prefix.length, 40 - pattern.suffix.length);
      const address = isToMatch ? pattern.prefix + middle + pattern.suffix : random;
      const bytes = Buffer.concat([digest.subarray(0, 12), Buffer.from(address, "hex")]);

      const { search, mask, target } = kernelFilter(pattern);
      const lane = bytes.readBigInt64LE(search === "searchSuffix" ? 24 : 8);
      const passes = (lane & mask) === target;
      const matches = matchesPattern(`0x${address}`, pattern);
      if (isToMatch) expect([matches, passes]).toEqual([true, true]);
      if (matches) expect(passes).toBe(true);
      const isWhole = pattern.prefix === "" || pattern.suffix === "";
      if (isWhole && prefix.length + suffix.length <= 4) expect(passes).toBe(matches);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});
