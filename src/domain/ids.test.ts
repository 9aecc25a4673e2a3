import { expect, test } from "vitest";
import { eventBlock, eventId, startOfBlock, symbolHash } from "./ids.ts";

test("ids sort as text in the order of the chain", () => {
  const ids = [eventId(9, 12), eventId(10), eventId(10, 2), eventId(10, 10), eventId(123_456_789_012)];
  expect(ids.toSorted()).toEqual(ids);
  expect(eventId(7n, 123)).toBe("000000000007-000123");
});

test("a block starts before its first event and after the last one of the previous block", () => {
  expect(startOfBlock(7) < eventId(7)).toBe(true);
  expect(startOfBlock(7) > eventId(6, 999_999)).toBe(true);
});

test("the block of an id and of a start", () => {
  expect([eventBlock(startOfBlock(7)), eventBlock(eventId(7, 123))]).toEqual([7, 7]);
});

test("symbols that differ only in case and blanks around them have the same hash, of any length", () => {
  expect(new Set(["OTTER", "otter", " Otter\t"].map(symbolHash)).size).toBe(1);
  expect(new Set(["OTTER", "OTTERS", "OT TER", "", "狗"].map(symbolHash)).size).toBe(5);
  expect(symbolHash("x".repeat(100_000))).toMatch(/^0x[0-9a-f]{64}$/);
});
