import fc from "fast-check";
import { expect, test } from "vitest";
import { EndpointFault } from "./fault.ts";
import { createLimits, createRateLimiter } from "./limits.ts";

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

/**
 * Sends as fast as the limiter allows to an endpoint that refuses more than `allowed` requests a second, for `seconds` of a
 * simulated clock.
 */
function simulate({ allowed, seconds, batch }: { allowed: number; seconds: number; batch: number }) {
  let at = 0;
  const limiter = createRateLimiter(() => at);
  const sent = { accepted: 0, refused: 0 };
  const secondHalf = { accepted: 0, refused: 0 };
  let [window, inWindow] = [0, 0];
  while (at < seconds * 1_000) {
    const wait = limiter.waitFor(batch);
    if (wait > 0) {
      at += Math.max(1, wait);
      continue;
    }
    limiter.take(batch);
    const second = Math.floor(at / 1_000);
    if (second !== window) [window, inWindow] = [second, 0];
    if (inWindow + batch <= allowed) {
      inWindow += batch;
      sent.accepted += batch;
      if (at > seconds * 500) secondHalf.accepted += batch;
      limiter.succeeded(batch);
    } else {
      sent.refused += batch;
      if (at > seconds * 500) secondHalf.refused += batch;
      limiter.refused();
    }
  }
  const usedShare = secondHalf.accepted / (allowed * (seconds / 2));
  return { ...sent, usedShare, refusedLater: secondHalf.refused };
}

test("finds the rate of an endpoint, and keeps to it", () => {
  for (const allowed of [10, 25, 50, 300]) {
    const { accepted, refused, usedShare } = simulate({ allowed, seconds: 60, batch: 1 });
    expect(usedShare, `${allowed}/s`).toBeGreaterThan(0.8);
    expect(refused / accepted, `${allowed}/s`).toBeLessThan(0.05);
  }
});

test("once the rate is known, refusals are rare", () => {
  for (const allowed of [10, 25, 50, 300]) {
    const { usedShare, refusedLater } = simulate({ allowed, seconds: 600, batch: 1 });
    expect(usedShare, `${allowed}/s`).toBeGreaterThan(0.8);
    // Within five minutes.
    expect(refusedLater, `${allowed}/s`).toBeLessThan(30);
  }
});

test("a limit that is raised is found again within minutes", () => {
  let at = 0;
  const limiter = createRateLimiter(() => at);
  const askFor = (seconds: number, allowed: number) => {
    for (const end = at + seconds * 1_000; at < end; ) {
      const wait = limiter.waitFor(1);
      at += Math.max(1, wait);
      if (wait > 0) continue;
      limiter.take(1);
      if (limiter.rate > allowed) limiter.refused();
      else limiter.succeeded(1);
    }
  };
  askFor(600, 20);
  expect(limiter.rate).toBeLessThan(21);
  askFor(600, 100);
  expect(limiter.rate).toBeGreaterThan(80);
});

test("a batch larger than a burst is sent, and delays the next one", () => {
  const { accepted } = simulate({ allowed: 50, seconds: 60, batch: 20 });
  expect(accepted).toBeGreaterThan(500);
});

test("whatever an endpoint does, a request may always be sent eventually", () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant("ok" as const), requests: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant("refused" as const), after: fc.integer({ min: 0, max: 60_000 }) }),
    fc.record({ kind: fc.constant("pause" as const), ms: fc.integer({ min: 0, max: 10_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      let at = 0;
      const limiter = createRateLimiter(() => at);
      for (const event of events) {
        if (event.kind === "pause") at += event.ms;
        else if (event.kind === "refused") limiter.refused(event.after);
        else {
          at += limiter.waitFor(event.requests);
          limiter.take(event.requests);
          limiter.succeeded(event.requests);
        }
        expect(limiter.rate).toBeGreaterThanOrEqual(1);
      }
      at += limiter.waitFor(1) + 1e-3;
      expect(limiter.waitFor(1)).toBeLessThan(1e-3);
    }),
  );
});
