import { expect, test } from "vitest";
import { createBatchLoader } from "./single-flight.ts";

function recorded(maxKeys: number) {
  const readings: number[][] = [];
  const get = createBatchLoader(
    async (keys: number[]) => {
      readings.push(keys);
      if (keys.includes(13)) throw new Error("unlucky");
      return new Map(keys.filter((key) => key > 0).map((key) => [key, `value of ${key}`]));
    },
    { maxKeys, concurrency: 100 },
  );
  return { get, readings };
}

test("concurrent calls share one read, with each key once", async () => {
  const { get, readings } = recorded(100);
  const answers = await Promise.all([get([1, 2]), get([2, 3]), get([-1])]);
  expect(readings).toEqual([[1, 2, 3, -1]]);
  expect(answers[0].get(1)).toBe("value of 1");
  expect(answers[1].get(3)).toBe("value of 3");
  expect(answers[2].has(-1)).toBe(false);
});

test("a call made after a read began causes another read", async () => {
  const { get, readings } = recorded(100);
  await get([1]);
  await get([1]);
  expect(readings).toEqual([[1], [1]]);
});

test("no batch exceeds its limit, unless a single call does", async () => {
  const { get, readings } = recorded(3);
  await Promise.all([get([1, 2]), get([3, 4]), get([5]), get([6, 7, 8, 9])]);
  expect(readings).toEqual([
    [1, 2],
    [3, 4, 5],
    [6, 7, 8, 9],
  ]);
});

test("a failed read rejects for its own callers only", async () => {
  const { get } = recorded(3);
  const [failed, alsoFailed, fine] = await Promise.allSettled([get([13]), get([1]), get([7, 8, 9])]);
  expect([failed.status, alsoFailed.status, fine.status]).toEqual(["rejected", "rejected", "fulfilled"]);
  expect((await get([1])).get(1)).toBe("value of 1");
});

test("calls made while all slots are busy share one batch, which starts when a slot is free", async () => {
  const readings: PromiseWithResolvers<Map<number, string>>[] = [];
  const asked: number[][] = [];
  const get = createBatchLoader(
    (keys: number[]) => {
      asked.push(keys);
      const reading = Promise.withResolvers<Map<number, string>>();
      readings.push(reading);
      return reading.promise;
    },
    { maxKeys: 3, concurrency: 1 },
  );
  const first = get([1]);
  await expect.poll(() => asked).toEqual([[1]]);
  const others = [get([2]), get([3, 4]), get([5])];
  readings[0]?.reject(new Error("unlucky"));
  await expect(first).rejects.toThrow("unlucky");
  await expect.poll(() => asked).toEqual([[1], [2, 3, 4]]);
  readings[1]?.resolve(new Map());
  await expect.poll(() => asked).toEqual([[1], [2, 3, 4], [5]]);
  readings[2]?.resolve(new Map([[5, "five"]]));
  expect((await Promise.all(others)).map((values) => values.get(5))).toEqual([undefined, undefined, "five"]);
});
