import { expect, test } from "vitest";
import { createReady } from "./ready.ts";

function readiness() {
  const index = { isReady: false };
  const warmUps: PromiseWithResolvers<void>[] = [];
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
  });
  return { index, warmUps, ready };
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

test("a failed warm-up is tried again", async () => {
  const { index, warmUps, ready } = readiness();
  index.isReady = true;
  await ready();
  warmUps[0]?.reject(new Error("the database is away"));
  const askedAgain = async () => {
    await ready();
    return warmUps.length;
  };
  await expect.poll(askedAgain).toBe(2);
  warmUps[1]?.resolve();
  await expect.poll(ready).toMatchObject({ ready: true });
});
