import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCursor, parseCursor, reaches } from "./cursor.ts";

const number = fc.nat(1_000);
const position = fc.record({
  event: number,
  version: number,
  registration: fc.option(number, { nil: undefined }),
});

test("an id says the position that it was made of", () => {
  fc.assert(
    fc.property(position, (given) => {
      expect(parseCursor(formatCursor(given))).toEqual(given);
    }),
  );
  expect(formatCursor({ event: 152, version: 31, registration: undefined })).toBe("152-31");
});

test("what is no id", () => {
  for (const text of ["", "1", "-1-2", "1-2-", "1-2-3-4", "1.5-2", "1e3-2", " 1-2", "9999999999999999-1"]) {
    expect(parseCursor(text), text).toBeUndefined();
  }
});

test("a position reaches itself, and another only with both logs", () => {
  fc.assert(
    fc.property(position, position, (left, right) => {
      expect(reaches(left, left)).toBe(true);
      const isEqual = formatCursor(left) === formatCursor(right);
      expect(reaches(left, right) && reaches(right, left)).toBe(isEqual);
      const further = { ...right, event: Math.max(left.event, right.event), version: right.version + 1 };
      expect(reaches(further, right)).toBe(true);
      expect(reaches(right, further)).toBe(false);
    }),
  );
  const all = { event: 1, version: 2, registration: undefined };
  expect(reaches(all, { ...all, registration: 5 })).toBe(true);
  expect(reaches({ ...all, registration: 5 }, all)).toBe(false);
  expect(reaches({ ...all, event: 2, version: 1 }, all)).toBe(false);
});
