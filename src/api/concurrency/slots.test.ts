import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSlots } from "./slots.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const options = { most: 3, mostPerOwner: 2, patienceMs: 1_000, refuse: (whose: string) => new Error(whose) };

test("each owner has so many, and all together so many", () => {
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

test("the slot without progress for the longest goes to a newcomer, after a while", () => {
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
  // Their own give way to owners who have too many.
  slots.take("c", () => {});
  expect(lost).toEqual(["still", "other"]);
  expect(() => slots.take("c", () => {})).toThrow("owner");
  expect(lost).toEqual(["still", "other"]);
});

test("whose slots are taken can be asked without taking one", () => {
  const slots = createSlots(options);
  const lost: string[] = [];
  expect(slots.whoseAreTaken("a")).toBe(undefined);
  for (const name of ["first", "second"]) slots.take("a", () => lost.push(name));
  expect(slots.whoseAreTaken("a")).toBe("owner");
  expect(slots.whoseAreTaken("b")).toBe(undefined);
  slots.take("b", () => lost.push("third"));
  expect(slots.whoseAreTaken("b")).toBe("everyone");
  vi.advanceTimersByTime(1_000);
  expect([slots.whoseAreTaken("a"), slots.whoseAreTaken("b")]).toEqual([undefined, undefined]);
  expect(lost).toEqual([]);
});

test("a slot that is kept and one that was taken away are left alone", () => {
  const slots = createSlots(options);
  const lost: string[] = [];
  const kept = slots.take("a", () => lost.push("kept"));
  kept.keep();
  const taken = slots.take("a", () => lost.push("taken"));
  vi.advanceTimersByTime(1_000);
  slots.take("a", () => lost.push("new"));
  expect(lost).toEqual(["taken"]);
  taken.touch();
  taken.release();
  expect(() => slots.take("a", () => {})).toThrow("owner");
});
