import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cursor } from "./cursor.schema.ts";
import { creationPlace, holdingPlace, pageOf, positionPlace, tradePlace } from "./cursor.ts";

const mint = `0x${"ab".repeat(20)}`;
const place = (first: number) => ({ first: String(first), second: mint });

describe("a page", () => {
  test("has a next one where there was one row more", () => {
    expect(pageOf([3, 2, 1], 2, positionPlace, place)).toEqual({
      rows: [3, 2],
      nextCursor: `positions.2.${mint}`,
    });
    expect(pageOf([3, 2], 2, positionPlace, place)).toEqual({ rows: [3, 2], nextCursor: null });
    expect(pageOf([], 2, positionPlace, place)).toEqual({ rows: [], nextCursor: null });
  });

  test("begins where the cursor of the one before says", () => {
    const { nextCursor } = pageOf([7, 6], 1, positionPlace, place);
    expect(cursor(positionPlace).parse(nextCursor)).toEqual(place(7));
    expect(cursor(positionPlace).parse(undefined)).toBeUndefined();
  });
});

test.each([
  ["", positionPlace],
  ["..", positionPlace],
  [mint, positionPlace],
  [`1.${mint}`, positionPlace],
  [`positions.1.${mint}.1`, positionPlace],
  [`positions.-1.${mint}`, positionPlace],
  [`positions.1.${mint.toUpperCase()}`, positionPlace],
  [`positions.${2n ** 63n}.${mint}`, positionPlace],
  [`holdings.1.${mint}`, positionPlace],
  [`positions.1.${mint}`, holdingPlace],
  [`holdings.${"9".repeat(161)}.${mint}`, holdingPlace],
  ["created.1.000000000001-000001", tradePlace],
  ["trades.1.000000000001-000001", creationPlace],
])("%j is none: the database is not asked", (text, kind) => {
  expect(cursor(kind).safeParse(text).error?.issues[0]?.message).toBe(
    "must be the nextCursor of an answer, as it came",
  );
});

test("any text is refused or taken as it is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^trades\.\d{1,20}\.\d{12}-\d{6}$/)), (text) => {
      const { success, data } = cursor(tradePlace).safeParse(text);
      if (success) expect(`trades.${data?.first}.${data?.second}`).toBe(text);
    }),
  );
});
