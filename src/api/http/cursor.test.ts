import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  creationCursor,
  holderCursor,
  holdingCursor,
  leaderCursor,
  paginate,
  positionCursor,
  rankedOffset,
  toRankedPage,
  tradeCursor,
} from "./cursor.ts";
import { cursor } from "./parameters.schema.ts";

const mint = `0x${"ab".repeat(20)}`;
const holders = holderCursor("selected");
const place = (first: number) => ({ first: String(first), second: mint });

describe("a page", () => {
  test("has a next one if one more row was read", () => {
    expect(paginate([3, 2, 1], 2, positionCursor, place)).toEqual({
      rows: [3, 2],
      nextCursor: `positions.2.${mint}`,
    });
    expect(paginate([3, 2], 2, positionCursor, place)).toEqual({ rows: [3, 2], nextCursor: null });
    expect(paginate([], 2, positionCursor, place)).toEqual({ rows: [], nextCursor: null });
  });

  test("begins where the previous page's cursor says", () => {
    const { nextCursor } = paginate([7, 6], 1, positionCursor, place);
    expect(cursor(positionCursor).parse(nextCursor)).toEqual(place(7));
    expect(cursor(positionCursor).parse(undefined)).toBeUndefined();
  });

  test("may begin at a loss", () => {
    const board = leaderCursor("realised-all", true);
    const { nextCursor } = paginate([-7, -8], 1, board, place);
    expect(cursor(board).parse(nextCursor)).toEqual(place(-7));
  });

  test.each([
    [
      "by number, with another one",
      0,
      1,
      2,
      { page: 1, limit: 2, hasMore: true, nextCursor: `holders-selected.2.${mint}` },
    ],
    [
      "by number, the last whole one",
      4,
      3,
      2,
      { page: 3, limit: 2, hasMore: false, nextCursor: `holders-selected.2.${mint}` },
    ],
    [
      "by cursor, on the page where it begins",
      3,
      undefined,
      2,
      { page: 2, limit: 2, hasMore: true, nextCursor: `holders-selected.2.${mint}` },
    ],
    [
      "by cursor, down to the last rank",
      6,
      undefined,
      1,
      { page: 4, limit: 2, hasMore: false, nextCursor: null },
    ],
    [
      "by cursor, beyond the last rank",
      7,
      undefined,
      0,
      { page: 4, limit: 2, hasMore: false, nextCursor: null },
    ],
  ])("of ranks: %s", (_, ahead, page, length, expected) => {
    const ranked = toRankedPage([3, 2, 1], { ahead, page, limit: 2, maxRank: 7, kind: holders }, place);
    expect(ranked).toEqual({ rows: [3, 2].slice(0, length), place: expected });
  });
});

test("a numbered page of a ranked list ends at the last rank, and has no cursor", () => {
  const offsetOf = (page?: number, cursor?: unknown) => rankedOffset({ cursor, page, limit: 2 }, 7, "ask us");
  expect([offsetOf(), offsetOf(1), offsetOf(3)]).toEqual([0, 0, 4]);
  expect(offsetOf(undefined, {})).toBe(0);
  expect(() => offsetOf(4)).toThrow("page times limit must not exceed 7: ask us");
  expect(() => offsetOf(1, {})).toThrow("cursor says where the page begins");
});

test.each([
  ["", positionCursor],
  ["..", positionCursor],
  [mint, positionCursor],
  [`1.${mint}`, positionCursor],
  [`positions.1.${mint}.1`, positionCursor],
  [`positions.-1.${mint}`, positionCursor],
  [`positions.1.${mint.toUpperCase()}`, positionCursor],
  [`leaders-realised-all.-0.${mint}`, leaderCursor("realised-all", true)],
  [`leaders-realised-all.--1.${mint}`, leaderCursor("realised-all", true)],
  [`leaders-trades-all.-1.${mint}`, leaderCursor("trades-all", false)],
  [`leaders-trades-all.1.${mint}`, leaderCursor("trades-24h", false)],
  [`positions.${2n ** 63n}.${mint}`, positionCursor],
  [`holdings.1.${mint}`, positionCursor],
  [`positions.1.${mint}`, holdingCursor],
  [`holdings.${"9".repeat(161)}.${mint}`, holdingCursor],
  ["created.1.000000000001-000001", tradeCursor],
  ["trades.1.000000000001-000001", creationCursor],
])("%j is not a cursor of its kind: the database is not asked", (text, kind) => {
  expect(cursor(kind).safeParse(text).error?.issues[0]?.message).toBe(
    "must be the nextCursor of an answer, unchanged",
  );
});

test("any text is either refused or parsed exactly", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^trades\.\d{1,20}\.\d{12}-\d{6}$/)), (text) => {
      const { success, data } = cursor(tradeCursor).safeParse(text);
      if (success) expect(`trades.${data?.first}.${data?.second}`).toBe(text);
    }),
  );
});
