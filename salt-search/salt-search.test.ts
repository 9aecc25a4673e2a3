import fc from "fast-check";
import { type Address, getContractAddress, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { sized } from "../test/run/long-run.ts";
import { loadKernel } from "./kernel.ts";
import { expectedAttempts, matchesPattern, parsePattern } from "./pattern.ts";
import { createSearch, type SaltSearch } from "./salt-search.ts";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
const owner = fc.option(hex(20), { nil: undefined });
const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), maxLength: 3 });

/** Finds a salt, and counts the salts that were tried for it. */
function find(search: SaltSearch) {
  for (let attempts = 0; ; ) {
    const { salt, tried } = search.run(100);
    attempts += tried;
    if (salt !== undefined) return { salt, attempts };
  }
}

describe.each(["simd", "scalar"] as const)("a search on the %s kernel", (kind) => {
  const kernel = loadKernel(kind);

  test("finds only salts that give such an address, by viem's account, each another", () => {
    fc.assert(
      fc.property(
        hex(20),
        hex(32),
        digits,
        digits,
        owner,
        (deployer, initCodeHash, prefix, suffix, owner) => {
          fc.pre(prefix.length + suffix.length > 0 && prefix.length + suffix.length < 5);
          const pattern = parsePattern({ prefix, suffix });
          const search = createSearch(kernel, { deployer, initCodeHash, pattern, saltPrefix: owner });
          const salts = [0, 1, 2].map(() => find(search).salt);
          search.close();
          for (const salt of salts) {
            const address = getContractAddress({
              opcode: "CREATE2",
              from: deployer as Address,
              salt,
              bytecodeHash: initCodeHash,
            });
            expect(matchesPattern(address.toLowerCase(), pattern)).toBe(true);
            expect(salt?.startsWith(owner ?? "0x")).toBe(true);
          }
          expect(new Set(salts).size).toBe(3);
        },
      ),
      { numRuns: sized({ usual: 15, long: 120 }) },
    );
  });

  // A kernel that tested some candidates twice or not at all would need more attempts, or fewer.
  test.each([{ suffix: "afe" }, { prefix: "afe" }])("finds as many as there are: %j", (ends) => {
    const pattern = parsePattern(ends);
    const finds = sized({ usual: 500, long: 1_500 });
    let attempts = 0;
    const search = createSearch(kernel, {
      deployer: `0x${"11".repeat(20)}`,
      initCodeHash: `0x${"22".repeat(32)}`,
      pattern,
    });
    for (let found = 0; found < finds; found++) attempts += find(search).attempts;
    search.close();
    // The rest of a step after each find adds up to a hundredth.
    const sixDeviations = 6 / Math.sqrt(finds);
    expect(attempts / finds / expectedAttempts(pattern)).toBeGreaterThan(1 - sixDeviations);
    expect(attempts / finds / expectedAttempts(pattern)).toBeLessThan(1.01 + sixDeviations);
  });

  test("continues at another place when the salts around its start are done", () => {
    const pattern = parsePattern({ suffix: "0".repeat(40) });
    const task = { deployer: `0x${"11".repeat(20)}`, initCodeHash: `0x${"22".repeat(32)}`, pattern };
    const search = createSearch(kernel, task);
    const steps = 65_536 + 1_000;
    expect(search.run(steps)).toEqual({ salt: undefined, tried: steps * 16 * kernel.candidates });
    search.close();
  });
});

test("refuses a deployer or a hash of another length", () => {
  const kernel = loadKernel("scalar");
  const pattern = parsePattern({ suffix: "a" });
  const hash = `0x${"22".repeat(32)}`;
  expect(() => createSearch(kernel, { deployer: "0x11", initCodeHash: hash, pattern })).toThrow(TypeError);
  const task = { deployer: `0x${"11".repeat(20)}`, initCodeHash: hash, pattern };
  expect(() => createSearch(kernel, { ...task, saltPrefix: "0x11" })).toThrow(TypeError);
});
