import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCursor, isAtOrAfter, parseCursor } from "./cursor.ts";

const number = fc.nat(1_000);
const position = fc.record({
  event: number,
  version: number,
  registration: fc.option(number, { nil: undefined }),
});

test("a cursor parses to the position that it was formatted from", () => {
  fc.assert(
    fc.property(position, (given) => {
      expect(parseCursor(formatCursor(given))).toEqual(given);
    }),
  );
  expect(formatCursor({ event: 152, version: 31, registration: undefined })).toBe("152-31");
});

test("texts that are not a cursor, such as the id of an event", () => {
  for (const text of [
    "",
    "1",
    "-1-2",
    "1-2-",
    "1-2-3-4",
    "1.5-2",
    "1e3-2",
    " 1-2",
    "9999999999999999-1",
    "000045612378-000042",
  ]) {
    expect(parseCursor(text), text).toBeUndefined();
  }
});

test("a position is at or after itself, and after another only in both logs", () => {
  fc.assert(
    fc.property(position, position, (left, right) => {
      expect(isAtOrAfter(left, left)).toBe(true);
      const isEqual = formatCursor(left) === formatCursor(right);
      expect(isAtOrAfter(left, right) && isAtOrAfter(right, left)).toBe(isEqual);
      const further = { ...right, event: Math.max(left.event, right.event), version: right.version + 1 };
      expect(isAtOrAfter(further, right)).toBe(true);
      expect(isAtOrAfter(right, further)).toBe(false);
    }),
  );
  const all = { event: 1, version: 2, registration: undefined };
  expect(isAtOrAfter(all, { ...all, registration: 5 })).toBe(true);
  expect(isAtOrAfter({ ...all, registration: 5 }, all)).toBe(false);
  expect(isAtOrAfter({ ...all, event: 2, version: 1 }, all)).toBe(false);
});
