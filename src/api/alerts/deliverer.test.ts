import { expect, onTestFinished, test, vi } from "vitest";
import { PostponedError } from "./attempts.ts";
import { retryPause } from "./deliverer.ts";
import { delivererForTests, subscriptionForTests } from "./fixtures/delivery.ts";

test("pauses grow from 5 seconds to an hour, up to a fifth longer at random", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => retryPause(failures, 0) / 1_000)).toEqual([
    5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600,
  ]);
  expect(retryPause(50, 1)).toBe(1.2 * 3_600_000);
});

test("a postponed message of a subscription that was replaced meanwhile is left to what replaced it", async () => {
  const postponed = Promise.withResolvers<never>();
  const saved: unknown[] = [];
  const deliverer = delivererForTests({
    attempt: () => postponed.promise,
    save: (subscription) => saved.push(subscription),
  });
  const subscription = subscriptionForTests({ row: { batch: 1 }, source: { latest: Math.max } });
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

test("pages for those that are behind are read two at a time, and wallets take turns", async () => {
  const reads: { owner: string; end: () => void }[] = [];
  const deliverer = delivererForTests();
  const replay = (owner: string) => {
    const read = () =>
      new Promise((resolve) => reads.push({ owner, end: () => resolve({ pending: [], end: 1 }) }));
    const source = { read, latest: Math.max, isAtEnd: () => true, format: String };
    const subscription = subscriptionForTests({ row: { owner }, source, isBehind: true });
    deliverer.start(subscription);
    return subscription;
  };
  for (const owner of ["greedy", "greedy", "greedy", "other", "third"]) replay(owner);
  const retired = replay("greedy");
  const { run } = retired;
  deliverer.retire(retired);
  // It doesn't wait for its turn, for which what has replaced it would wait as well.
  await run;
  const owners: string[] = [];
  for (let read = 1; read <= 5; read++) {
    await expect.poll(() => reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(2);
    const next = reads.shift();
    owners.push(next?.owner ?? "");
    next?.end();
  }
  expect(owners).toEqual(["greedy", "greedy", "other", "third", "greedy"]);
});

test("while the database is away, those that are behind wait for it, and write nothing into the log", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const deliverer = delivererForTests();
  const subscription = subscriptionForTests({
    row: { owner: "0xa" },
    source: { read: () => Promise.reject(away) },
    isBehind: true,
  });
  deliverer.start(subscription);
  await subscription.run;
  expect(subscription).toMatchObject({ isBehind: true, timer: expect.anything() });
  expect(logged).not.toHaveBeenCalled();
  deliverer.retire(subscription);
});

test("a pause that ends later than any can is over: the clock has been set back since", async () => {
  let attempts = 0;
  const deliverer = delivererForTests({
    attempt: async () => {
      attempts++;
      return { status: 200, error: null, errorCode: null, answer: "", retryAfter: 0, ms: 1 };
    },
  });
  const subscription = subscriptionForTests({
    row: { batch: 1, owner: "0xa" },
    source: { latest: Math.max, format: String },
    failures: 3,
    retryAt: Date.now() + 30 * 86_400_000,
    recent: [],
  });
  const message = { id: "a.1", type: "test", timestamp: "", subscription: "a", data: {} };
  deliverer.push(subscription, { message, position: 8, from: 7 });
  await subscription.run;
  expect(attempts).toBe(1);
  expect(subscription).toMatchObject({ position: 8, failures: 0 });
  deliverer.retire(subscription);
});

test.each([
  { status: 500, hours: 71, expected: { status: "active", reason: null } },
  { status: 500, hours: 73, expected: { status: "paused", reason: "failing" } },
  { status: 410, hours: 0, expected: { status: "paused", reason: "gone" } },
])(
  "after $hours hours of failures and a $status, it is $expected.status, and keeps its place",
  async ({ status, hours, expected }) => {
    let attempts = 0;
    const deliverer = delivererForTests({
      attempt: async () => {
        attempts++;
        return {
          status,
          error: `it answered ${status}`,
          errorCode: "status",
          answer: "",
          retryAfter: 0,
          ms: 1,
        };
      },
    });
    const subscription = subscriptionForTests({
      row: { batch: 1, owner: "0xa" },
      source: { latest: Math.max, format: String },
      position: 7,
      reason: null,
      failures: 50,
      failingSince: Date.now() - hours * 3_600_000,
      recent: [],
    });
    const message = { id: "a.1", type: "test", timestamp: "", subscription: "a", data: {} };
    deliverer.push(subscription, { message, position: 8, from: 7 });
    await subscription.run;
    expect(subscription).toMatchObject({ ...expected, position: 7, isBehind: true, queue: [] });
    expect(subscription.retryAt === undefined).toBe(expected.status === "paused");
    deliverer.push(subscription, { message, position: 9, from: 8 });
    deliverer.start(subscription);
    await subscription.run;
    expect(attempts).toBe(1);
    deliverer.retire(subscription);
  },
);
