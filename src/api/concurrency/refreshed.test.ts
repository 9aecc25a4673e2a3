import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refreshed } from "./refreshed.ts";

const times = { refreshMs: 30_000, staleMs: 60_000, patienceMs: 8_000 };

/** Readings that end when they are told to. */
function manualReadings() {
  const readings: PromiseWithResolvers<string>[] = [];
  const read = refreshed(() => {
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

test("one reading for all who ask, and none while the value is young", async () => {
  const { readings, read } = manualReadings();
  const both = Promise.all([read(), read()]);
  readings[0]?.resolve("first");
  expect(await both).toEqual(["first", "first"]);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await read()).toBe("first");
  expect(readings).toHaveLength(1);
});

test("a value that is neither young nor stale is answered while the next one is read", async () => {
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

test("a stale value is waited for, and answered once the patience has run out", async () => {
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

test("without any value yet there is none when the patience has run out; an error is told, and the next one reads anew", async () => {
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
