import { expect, test } from "vitest";
import { createSemaphore } from "./semaphore.ts";

test("tasks run and wait up to the limits, one more is refused, and a failed one passes its slot on", async () => {
  const turns = createSemaphore({ concurrency: 2, maxWaiting: 1, refuse: () => new Error("busy") });
  const finish: ((failure?: Error) => void)[] = [];
  const work = () =>
    turns(
      () =>
        new Promise<string>((resolve, reject) => {
          finish.push((failure) => (failure === undefined ? resolve("done") : reject(failure)));
        }),
    );
  const running = [work(), work()];
  const waiting = work();
  await expect(work()).rejects.toThrow("busy");
  expect(finish).toHaveLength(2);

  finish[0]?.(new Error("failed"));
  await expect(running[0]).rejects.toThrow("failed");
  await expect.poll(() => finish.length).toBe(3);
  finish[1]?.();
  finish[2]?.();
  expect(await Promise.all([running[1], waiting])).toEqual(["done", "done"]);

  const after = work();
  await expect.poll(() => finish.length).toBe(4);
  finish[3]?.();
  expect(await after).toBe("done");
});
