import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

const mebibyte = 2 ** 20;

test("clients take turns, each in the order of its own jobs", () => {
  const queue = createFairQueue<string>(100 * mebibyte);
  for (const job of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.push(job[0] ?? "", job, 0, () => {});
  const order = Array.from({ length: 7 }, () => queue.shift());
  expect(order).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", undefined]);
});

test("a full queue refuses who holds the most, and makes room for others at their expense", () => {
  const queue = createFairQueue<string>(10.9 * mebibyte);
  const dropped: string[] = [];
  const push = (job: string) => queue.push(job[0] ?? "", job, 2 * mebibyte, () => dropped.push(job));
  expect(["a1", "a2", "a3", "a4", "a5"].map(push)).toEqual([true, true, true, true, true]);
  expect([push("a6"), dropped]).toEqual([false, []]);
  expect([push("b1"), dropped]).toEqual([true, ["a5"]]);
  expect([push("b2"), dropped]).toEqual([true, ["a5", "a4"]]);
  // Now neither may take from the other.
  expect([push("b3"), push("a7"), dropped]).toEqual([false, false, ["a5", "a4"]]);
  expect(Array.from({ length: 5 }, () => queue.shift())).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  expect(push("a8")).toBe(true);
});

test("a job larger than the queue is refused, and a crowd of empty ones has an end", () => {
  const queue = createFairQueue<number>(mebibyte);
  expect(queue.push("a", 0, 2 * mebibyte, () => {})).toBe(false);
  const accepted = Array.from({ length: 100 }, (_, job) => queue.push("a", job, 0, () => {}));
  expect(accepted.filter(Boolean)).toHaveLength(16);
});
