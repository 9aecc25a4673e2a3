import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chainPlace, cursor, pageOf, timePlace, valuePlace } from "./cursor.ts";

const mint = `0x${"ab".repeat(20)}`;
const place = (first: number) => ({ first: String(first), second: mint });

describe("a page", () => {
  test("has a next one where there was one row more", () => {
    expect(pageOf([3, 2, 1], 2, place)).toEqual({ rows: [3, 2], nextCursor: `2.${mint}` });
    expect(pageOf([3, 2], 2, place)).toEqual({ rows: [3, 2], nextCursor: null });
    expect(pageOf([], 2, place)).toEqual({ rows: [], nextCursor: null });
  });

  test("begins where the cursor of the one before says", () => {
    const { nextCursor } = pageOf([7, 6], 1, place);
    expect(cursor(timePlace).parse(nextCursor)).toEqual(place(7));
    expect(cursor(timePlace).parse(undefined)).toBeUndefined();
  });
});

test.each([
  ["", timePlace],
  [".", timePlace],
  [mint, timePlace],
  [`1.${mint}.1`, timePlace],
  [`-1.${mint}`, timePlace],
  [`1.${mint.toUpperCase()}`, timePlace],
  [`${2n ** 63n}.${mint}`, timePlace],
  [`1.${mint}`, chainPlace],
  ["1.000000000001-000001", valuePlace],
  [`${"9".repeat(161)}.${mint}`, valuePlace],
])("%j is none: the database is not asked", (text, kind) => {
  expect(cursor(kind).safeParse(text).error?.issues[0]?.message).toBe(
    "must be the nextCursor of an answer, as it came",
  );
});

test("any text is refused or taken as it is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,20}\.\d{12}-\d{6}$/)), (text) => {
      const { success, data } = cursor(chainPlace).safeParse(text);
      if (success) expect(`${data?.first}.${data?.second}`).toBe(text);
    }),
  );
});
