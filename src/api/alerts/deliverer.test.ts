import { expect, test } from "vitest";
import { PostponedError } from "./attempts.ts";
import { createDeliverer, retryPause, type Subscription } from "./deliverer.ts";

test("pauses grow from 5 seconds to an hour, up to a fifth longer at random", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => retryPause(failures, 0) / 1_000)).toEqual([
    5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600,
  ]);
  expect(retryPause(50, 1)).toBe(1.2 * 3_600_000);
});

test("a postponed message of a subscription that was replaced meanwhile is left to what replaced it", async () => {
  const postponed = Promise.withResolvers<never>();
  const saved: unknown[] = [];
  const deliverer = createDeliverer({
    attempt: () => postponed.promise,
    leaseLeft: () => 10_000,
    save: (subscription) => saved.push(subscription),
    onAttempt: () => {},
  });
  const subscription = {
    row: { batch: 1 },
    source: { latest: Math.max },
    position: 0,
    isBehind: false,
    queue: [],
    status: "active",
    isStale: false,
  } as unknown as Subscription<number>;
  const message = { id: "a.1", type: "test", timestamp: "", subscription: "a", data: {} };
  let settled = 0;
  deliverer.push(subscription, { message, position: 1, from: 0, onSettled: () => void settled++ });
  const { run } = subscription;
  deliverer.retire(subscription);
  postponed.reject(new PostponedError(0));
  await run;
  // Its messages would count as settled twice.
  expect([saved, settled]).toEqual([[], 0]);
});
