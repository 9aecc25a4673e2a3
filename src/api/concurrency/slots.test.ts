import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSlots } from "./semaphore.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const options = { max: 3, maxPerOwner: 2, stallMs: 1_000, refuse: (limit: string) => new Error(limit) };

test("slots are limited for each owner and for all together", () => {
  const slots = createSlots(options);
  const first = slots.take("a", () => {});
  slots.take("a", () => {});
  expect(() => slots.take("a", () => {})).toThrow("owner");
  slots.take("b", () => {});
  expect(() => slots.take("c", () => {})).toThrow("everyone");
  first.release();
  first.release();
  slots.take("a", () => {});
  expect(() => slots.take("c", () => {})).toThrow("everyone");
});

test("the slot that has stalled the longest goes to a newcomer, after a while", () => {
  const slots = createSlots(options);
  const lost: string[] = [];
  const moving = slots.take("a", () => lost.push("moving"));
  slots.take("a", () => lost.push("still"));
  slots.take("b", () => lost.push("other"));
  vi.advanceTimersByTime(999);
  expect(() => slots.take("c", () => {})).toThrow("everyone");
  moving.touch();
  vi.advanceTimersByTime(1);
  slots.take("c", () => {});
  expect(lost).toEqual(["still"]);
  // An owner at its limit only replaces its own slots.
  slots.take("c", () => {});
  expect(lost).toEqual(["still", "other"]);
  expect(() => slots.take("c", () => {})).toThrow("owner");
  expect(lost).toEqual(["still", "other"]);
});

test("reachedLimit names the limit without taking a slot", () => {
  const slots = createSlots(options);
  const lost: string[] = [];
  expect(slots.reachedLimit("a")).toBe(undefined);
  for (const name of ["first", "second"]) slots.take("a", () => lost.push(name));
  expect(slots.reachedLimit("a")).toBe("owner");
  expect(slots.reachedLimit("b")).toBe(undefined);
  slots.take("b", () => lost.push("third"));
  expect(slots.reachedLimit("b")).toBe("everyone");
  vi.advanceTimersByTime(1_000);
  expect([slots.reachedLimit("a"), slots.reachedLimit("b")]).toEqual([undefined, undefined]);
  expect(lost).toEqual([]);
});

test("protected slots are never revoked, and a revoked slot can't be touched or released", () => {
  const slots = createSlots(options);
  const lost: string[] = [];
  const kept = slots.take("a", () => lost.push("kept"));
  kept.protect();
  const taken = slots.take("a", () => lost.push("taken"));
  vi.advanceTimersByTime(1_000);
  slots.take("a", () => lost.push("new"));
  expect(lost).toEqual(["taken"]);
  taken.touch();
  taken.release();
  expect(() => slots.take("a", () => {})).toThrow("owner");
});
