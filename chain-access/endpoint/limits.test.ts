import { expect, test } from "vitest";
import { EndpointFault } from "./fault.ts";
import { createLimits } from "./limits.ts";

test("a limit is what the endpoint named, or half of what it refused", () => {
  const limits = createLimits(() => 0);
  expect([limits.blocks, limits.addresses, limits.calls]).toEqual(Array(3).fill(Number.POSITIVE_INFINITY));
  limits.learn(new EndpointFault("range", "", { limit: 2_000 }), { blocks: 10_000, addresses: 7 });
  limits.learn(new EndpointFault("addresses", ""), { blocks: 10_000, addresses: 7 });
  limits.learn(new EndpointFault("batch", "", { limit: 50 }), { calls: 20 });
  limits.learn(new EndpointFault("results", ""), { blocks: 2, addresses: 2 });
  expect([limits.blocks, limits.addresses, limits.calls]).toEqual([2_000, 3, 10]);
  // Of several refusals, the strictest counts.
  limits.learn(new EndpointFault("range", "", { limit: 5_000 }), { blocks: 10_000 });
  expect(limits.blocks).toBe(2_000);
});

test("a limit that was learned recovers with time, and at last is forgotten", () => {
  let now = 0;
  const limits = createLimits(() => now);
  limits.learn(new EndpointFault("range", ""), { blocks: 2 });
  expect(limits.blocks).toBe(1);
  now += 3 * 60_000;
  expect(limits.blocks).toBe(8);
  limits.learn(new EndpointFault("range", "", { limit: 5 }), { blocks: 8 });
  expect(limits.blocks).toBe(5);
  now += 60 * 60_000;
  expect(limits.blocks).toBe(Number.POSITIVE_INFINITY);
});

test("the more often a limit turns out to hold, the later it is tried again", () => {
  let now = 0;
  const limits = createLimits(() => now);
  const refuse = () => limits.learn(new EndpointFault("range", "", { limit: 1_000 }), { blocks: 2_000 });
  const minutesToDouble = () => {
    for (let minutes = 1; ; minutes++) {
      now += 60_000;
      if (limits.blocks > 1_000) return minutes;
    }
  };
  refuse();
  const waits = Array.from({ length: 8 }, () => {
    const minutes = minutesToDouble();
    refuse();
    // Another one of the same moment says nothing new.
    refuse();
    return minutes;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});
