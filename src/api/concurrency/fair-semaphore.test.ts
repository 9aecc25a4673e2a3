import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFairSemaphore } from "./semaphore.ts";

const busy = new Error("busy");

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function open(options: { concurrency: number; maxWaiting?: number; maxWaitMs?: number }) {
  const turns = createFairSemaphore({ maxWaiting: 100, maxWaitMs: 60_000, refuse: () => busy, ...options });
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  return {
    begun,
    /** Ends a task after as long as a slow one takes. */
    finish(count: number): void {
      vi.advanceTimersByTime(60);
      finish[count]?.();
    },
    running: () => finish.length,
    /** Adds a task that runs until it is finished by hand. Resolves to how it ended. */
    ask: (name: string, signal?: AbortSignal): Promise<unknown> =>
      turns(
        name.slice(0, 1),
        () => {
          begun.push(name);
          return new Promise<string>((resolve) => finish.push(() => resolve("done")));
        },
        signal,
      ).catch((error: unknown) => error),
  };
}

test("one client may take all slots but one, so that another finds a slot", async () => {
  const { ask, begun } = open({ concurrency: 3 });
  for (const name of ["a1", "a2", "a3", "b1"]) void ask(name);
  await expect.poll(() => begun).toEqual(["a1", "a2", "b1"]);
});

test("a client with one task does not wait for all tasks of a client with many", async () => {
  const { ask, begun, finish, running } = open({ concurrency: 1 });
  const answers = ["a1", "a2", "a3", "b1"].map((name) => ask(name));
  for (let count = 0; count < 4; count++) {
    await expect.poll(running).toBe(count + 1);
    finish(count);
  }
  expect(await Promise.all(answers)).toEqual(["done", "done", "done", "done"]);
  expect(begun).toEqual(["a1", "b1", "a2", "a3"]);
});

test("who used it less lately goes before those who wait already", async () => {
  const { ask, begun, finish, running } = open({ concurrency: 1 });
  const answers = ["a1", "b1", "c1", "a2", "b2", "c2"].map((name) => ask(name));
  for (let count = 0; count < 7; count++) {
    await expect.poll(running).toBe(count + 1);
    if (count === 3) answers.push(ask("d1"));
    finish(count);
  }
  await Promise.all(answers);
  expect(begun.slice(0, 3)).toEqual(["a1", "b1", "c1"]);
  expect(begun[4]).toBe("d1");
});

test("a client that fills the queue loses a place to another, and can't add a task", async () => {
  const { ask, begun, finish, running } = open({ concurrency: 1, maxWaiting: 2 });
  const [begunFirst, first, second] = [ask("a1"), ask("a2"), ask("a3")];
  expect(await ask("a4")).toBe(busy);
  const modest = ask("b1");
  expect(await second).toBe(busy);
  for (let count = 0; count < 3; count++) {
    await expect.poll(running).toBe(count + 1);
    finish(count);
  }
  expect(await Promise.all([begunFirst, first, modest])).toEqual(["done", "done", "done"]);
  expect(begun).toEqual(["a1", "b1", "a2"]);
});

test("an aborted task does not run, and one that waits too long is refused", async () => {
  const { ask, begun, finish } = open({ concurrency: 1, maxWaitMs: 50 });
  void ask("a1");
  const leaving = new AbortController();
  const left = ask("b1", leaving.signal);
  leaving.abort(new Error("gone"));
  expect(await left).toMatchObject({ message: "gone" });
  expect(await ask("c1", leaving.signal)).toMatchObject({ message: "gone" });
  expect(await ask("d1")).toBe(busy);
  finish(0);
  void ask("e1");
  await expect.poll(() => begun).toEqual(["a1", "e1"]);
});

test("a failed task passes its slot on", async () => {
  const turns = createFairSemaphore({ concurrency: 1, maxWaiting: 1, maxWaitMs: 60_000, refuse: () => busy });
  const failing = turns("a", () => Promise.reject(new Error("failed")));
  const next = turns("a", async () => "done");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
});
