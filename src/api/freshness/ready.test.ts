import { expect, test } from "vitest";
import { createReady } from "./ready.ts";

function readiness() {
  const index = { isReady: false };
  const warmUps: PromiseWithResolvers<void>[] = [];
  const lines: string[] = [];
  const ready = createReady({
    watch: {
      refresh: async () => ({ isReady: index.isReady, isGone: false }),
      report: () => ({ writer: "live", chains: [] }),
    },
    readRepairs: async () => [],
    warmUp: () => {
      const warmUp = Promise.withResolvers<void>();
      warmUps.push(warmUp);
      return warmUp.promise;
    },
    maxLagSeconds: 0,
    awaitsChains: () => false,
    log: (line) => lines.push(line),
  });
  return { index, warmUps, ready, lines };
}

test("ready once the warm-up after the backfill is done", async () => {
  const { index, warmUps, ready } = readiness();
  expect(await ready()).toMatchObject({ status: 503, code: "not_indexed_yet" });
  expect(warmUps).toHaveLength(0);

  index.isReady = true;
  expect(await ready()).toMatchObject({ status: 503, code: "warming_up", retryAfter: 1 });
  expect(await ready()).toMatchObject({ code: "warming_up" });
  expect(warmUps).toHaveLength(1);
  warmUps[0]?.resolve();
  expect(await ready()).toMatchObject({ ready: true });
});

test("a failed warm-up is tried again, and the log says why, once for each reason", async () => {
  const { index, warmUps, ready, lines } = readiness();
  index.isReady = true;
  await ready();
  const askedAgain = async () => {
    await ready();
    return warmUps.length;
  };
  for (const [attempt, reason] of ["too slow", "too slow", "the disk is full"].entries()) {
    warmUps[attempt]?.reject(new Error(reason));
    await expect.poll(askedAgain).toBe(attempt + 2);
  }
  expect(lines).toEqual([
    "the token list and the stream can't be prepared yet: too slow",
    "the token list and the stream can't be prepared yet: the disk is full",
  ]);
  warmUps[3]?.resolve();
  await expect.poll(ready).toMatchObject({ ready: true });
});
