import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { staleWhileRevalidate } from "./single-flight.ts";

const times = { refreshMs: 30_000, staleMs: 60_000, maxWaitMs: 8_000 };

/** Reads that the test ends by hand. */
function manualReadings() {
  const readings: PromiseWithResolvers<string>[] = [];
  const read = staleWhileRevalidate(() => {
    const reading = Promise.withResolvers<string>();
    readings.push(reading);
    return reading.promise;
  }, times);
  return { readings, read };
}

// `performance.now` is faked too.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = async () => await vi.advanceTimersByTimeAsync(0);

test("concurrent callers share one read, and a fresh value needs none", async () => {
  const { readings, read } = manualReadings();
  const both = Promise.all([read(), read()]);
  readings[0]?.resolve("first");
  expect(await both).toEqual(["first", "first"]);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await read()).toBe("first");
  expect(readings).toHaveLength(1);
});

test("a value between fresh and stale is returned while the next one is read", async () => {
  const { readings, read } = manualReadings();
  const first = read();
  readings[0]?.resolve("first");
  await first;
  await vi.advanceTimersByTimeAsync(30_000);
  expect([await read(), await read()]).toEqual(["first", "first"]);
  expect(readings).toHaveLength(2);
  readings[1]?.resolve("second");
  await settle();
  expect(await read()).toBe("second");
});

test("callers of a stale value wait for the new one, and get the stale one after maxWaitMs", async () => {
  const { readings, read } = manualReadings();
  const first = read();
  readings[0]?.resolve("first");
  await first;
  await vi.advanceTimersByTimeAsync(60_000);
  const impatient = read();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await impatient).toBe("first");
  const patient = read();
  readings[1]?.resolve("second");
  expect(await patient).toBe("second");
  expect(readings).toHaveLength(2);
});

test("without a value, callers get undefined after maxWaitMs or the error, and the next call reads again", async () => {
  const { readings, read } = manualReadings();
  const impatient = read();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await impatient).toBeUndefined();
  const failing = read();
  readings[0]?.reject(new Error("away"));
  await expect(failing).rejects.toThrow("away");
  const next = read();
  readings[1]?.resolve("second");
  expect(await next).toBe("second");
});
