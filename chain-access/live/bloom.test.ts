import fc from "fast-check";
import { bytesToHex } from "viem";
import { expect, test } from "vitest";
import type { Hex } from "../sources/log.ts";
import { childTopics, staticTopics } from "../sources/sources.ts";
import { bloomWithout, computeBloom, isInBloom, readBloom } from "./bloom.ts";
import { isFilterInBloom, isInBloom as isInPondersBloom, ponderFilters } from "./fixtures/ponder.ts";
import { sources } from "./fixtures/simulated-chain.ts";

const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((value) => bytesToHex(value) as Hex);
const log = fc.record({ address: bytes(20), topics: fc.array(bytes(32), { maxLength: 4 }) });

test("a bloom matches its values, and answers as Ponder's does", () => {
  fc.assert(
    fc.property(fc.array(log, { maxLength: 60 }), fc.array(bytes(20), { maxLength: 20 }), (logs, others) => {
      const bloom = computeBloom(logs);
      for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
        expect(isInBloom(bloom, value)).toBe(true);
      }
      for (const value of others) {
        expect(isInBloom(bloom, value)).toBe(isInPondersBloom(bytesToHex(bloom), value));
      }
      expect(readBloom(bytesToHex(bloom))).toEqual(bloom);
    }),
  );
});

test("a bloom without our events makes Ponder ask for nothing, and isn't empty", () => {
  const logsBloom = bloomWithout([...staticTopics, ...childTopics]);
  expect(BigInt(logsBloom)).toBeGreaterThan(0n);
  const asks = ponderFilters(sources).filters.filter((filter) =>
    isFilterInBloom({ block: { number: "0x5", logsBloom }, filter }),
  );
  expect(asks).toEqual([]);
});

test("the bit of such a bloom is free, whatever the values", () => {
  fc.assert(
    fc.property(fc.array(bytes(32), { maxLength: 200 }), (values) => {
      const bloom = readBloom(bloomWithout(values));
      expect(values.filter((value) => isInBloom(bloom, value))).toEqual([]);
    }),
  );
});
