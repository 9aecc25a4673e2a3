import { expect, test } from "vitest";
import { singleFlight } from "./single-flight.ts";

function controlled() {
  const readings: PromiseWithResolvers<number>[] = [];
  const ask = singleFlight(() => {
    const reading = Promise.withResolvers<number>();
    readings.push(reading);
    return reading.promise;
  });
  return { readings, ask };
}

test("callers that ask while a read runs share the next one", async () => {
  const { readings, ask } = controlled();
  const first = ask();
  const later = [ask(), ask(), ask()];
  expect(readings).toHaveLength(1);
  readings[0]?.resolve(1);
  expect(await first).toBe(1);
  await expect.poll(() => readings.length).toBe(2);
  readings[1]?.resolve(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  void ask();
  expect(readings).toHaveLength(3);
});

test("a caller that asks between two reads gets the second, and no third one starts", async () => {
  const { readings, ask } = controlled();
  const first = ask();
  const between = first.then(() => ask());
  const second = ask();
  readings[0]?.resolve(1);
  await first;
  await expect.poll(() => readings.length).toBe(2);
  readings[1]?.resolve(2);
  expect(await Promise.all([between, second])).toEqual([2, 2]);
  expect(readings).toHaveLength(2);
});

test("a failed read rejects for its own callers only", async () => {
  const { readings, ask } = controlled();
  const first = ask();
  const second = ask();
  readings[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => readings.length).toBe(2);
  readings[1]?.resolve(2);
  expect(await second).toBe(2);
});
