import fc from "fast-check";
import { expect, test } from "vitest";
import { createChildren } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex } from "../sources/log.ts";
import { pairTopics, staticEvents, tokenTopics } from "../sources/sources.ts";
import { computeBloom, isInBloom } from "./bloom.ts";
import { addressOf, sources } from "./fixtures/simulated-chain.ts";
import { createCandidates } from "./prepare-block.ts";

const topics = [...Object.values(eventTopics), "0x00" as Hex];
const contracts = [...staticEvents(sources).keys()];
const log = fc.record({
  address: fc.oneof(fc.constantFrom(...contracts), fc.integer({ min: 100, max: 5_000 }).map(addressOf)),
  topics: fc.array(fc.constantFrom(...topics), { minLength: 1, maxLength: 1 }),
});
const child = fc.record({
  type: fc.constantFrom("token", "pair"),
  address: fc.integer({ min: 100, max: 5_000 }).map(addressOf),
  block: fc.constant(5),
});

test("candidates are the contracts whose address and at least one event are in the bloom", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(child, { maxLength: 1_500 }), { minLength: 1, maxLength: 3 }),
      fc.array(log, { maxLength: 150 }),
      (discoveries, logs) => {
        const children = createChildren(sources);
        const candidates = createCandidates({
          children,
          sources,
          room: () => Number.POSITIVE_INFINITY,
          knownThrough: () => 5,
        });
        const bloom = computeBloom(logs);
        const has = (value: Hex) => isInBloom(bloom, value);
        for (const discovered of discoveries) {
          for (const child of discovered) children.add(child as never);
          const expected = children.discovered.filter(
            ({ type, address }) => has(address) && (type === "token" ? tokenTopics : pairTopics).some(has),
          );
          const found = candidates.of(bloom, 0);
          expect(found.children).toEqual(expected.map(({ address }) => address));
          expect(found.contracts).toEqual(
            [...staticEvents(sources)]
              .filter(([address, topics]) => has(address) && topics.some(has))
              .map(([address]) => address),
          );
        }
      },
    ),
    { numRuns: 30 },
  );
});
