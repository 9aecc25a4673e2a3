import fc from "fast-check";
import { keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { candidateBits, counterLane, entryBits, stepBits } from "./kernel/layout.ts";
import { loadKernel, messageLength, supportedKind } from "./kernel.ts";

const message = fc.uint8Array({ minLength: messageLength, maxLength: messageLength });

describe.each(["simd", "scalar"] as const)("the %s kernel", (kind) => {
  const kernel = loadKernel(kind);

  test("hashes as viem does", () => {
    fc.assert(
      fc.property(message, (bytes) => {
        expect(Buffer.from(kernel.hash(bytes)).toString("hex")).toBe(keccak256(bytes).slice(2));
      }),
      { numRuns: 3_000 },
    );
  });

  test("hashes messages of any length as viem does", () => {
    for (let length = 0; length < 600; length++) {
      const bytes = crypto.getRandomValues(new Uint8Array(length));
      expect(Buffer.from(kernel.hash(bytes)).toString("hex")).toBe(keccak256(bytes).slice(2));
    }
  });

  test("no two counted bits of a message touch in the first round", () => {
    const bits = [...stepBits, ...entryBits, ...candidateBits];
    const expand = (bytes: Uint8Array, flipped: number[]) => {
      const copy = bytes.slice();
      for (const bit of flipped) {
        const at = 8 * counterLane + (bit >> 3);
        copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7));
      }
      kernel.write(copy);
      kernel.expand();
      return kernel.expanded.slice();
    };
    fc.assert(
      fc.property(message, fc.subarray(bits), (bytes, flipped) => {
        const origin = expand(bytes, []);
        const sum = origin.slice();
        for (const bit of flipped) {
          const alone = expand(bytes, [bit]);
          for (const word of sum.keys()) {
            sum[word] = (sum[word] ?? 0) ^ (alone[word] ?? 0) ^ (origin[word] ?? 0);
          }
        }
        expect(sum).toEqual(expand(bytes, flipped));
      }),
      { numRuns: 300 },
    );
  });

  test("has room for so many searches, and again when they end", () => {
    const areas: number[] = [];
    expect(() => {
      for (;;) areas.push(kernel.takeArea());
    }).toThrow("has room for");
    expect(new Set(areas).size).toBe(63);
    for (const area of areas) kernel.returnArea(area);
    kernel.returnArea(kernel.takeArea());
  });
});

test("Node has SIMD", () => {
  expect(supportedKind()).toBe("simd");
});
