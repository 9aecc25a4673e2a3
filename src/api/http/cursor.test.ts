import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  creationCursor,
  holderCursor,
  holdingCursor,
  leaderCursor,
  paginate,
  parseCursor,
  positionCursor,
  rankedOffset,
  readPage,
  toRankedPage,
  tradeCursor,
  transferCursor,
} from "./cursor.ts";

const mint = `0x${"ab".repeat(20)}`;
const account = `0x${"cd".repeat(20)}`;
const holders = holderCursor("selected");
const positions = positionCursor({ chainId: 56, account });
const trades = tradeCursor({ chainId: 56, mint });
const place = (first: number) => ({ first: String(first), second: mint });

describe("a page", () => {
  test("has a next one if one more row was read", () => {
    expect(paginate([3, 2, 1], 2, positions, place)).toEqual({
      rows: [3, 2],
      nextCursor: `${positions.list}.2.${mint}`,
    });
    expect(paginate([3, 2], 2, positions, place)).toEqual({ rows: [3, 2], nextCursor: null });
    expect(paginate([], 2, positions, place)).toEqual({ rows: [], nextCursor: null });
  });

  test("begins where the previous page's cursor says", async () => {
    const read = (cursor?: string) =>
      readPage({ cursor, limit: 1 }, positions, place, async ({ after }) => [
        Number(after?.first ?? 8) - 1,
        0,
      ]);
    const { rows, nextCursor } = await read();
    expect(rows).toEqual([7]);
    expect((await read(nextCursor ?? "")).rows).toEqual([6]);
  });

  const lists = [
    tradeCursor({ chainId: 56 }),
    trades,
    tradeCursor({ chainId: 97, mint }),
    tradeCursor({ chainId: 56, mint: account }),
    tradeCursor({ chainId: 56, trader: mint }),
    tradeCursor({ chainId: 56, mint, trader: account }),
    transferCursor({ chainId: 56, mint }),
    transferCursor({ chainId: 56, mint, from: account, to: undefined }),
    transferCursor({ chainId: 56, mint, from: undefined, to: account }),
    transferCursor({ chainId: 56, mint, since: 1 }),
    creationCursor({ chainId: 56, account }),
    creationCursor({ chainId: 56, account: mint }),
  ];

  test.each(lists)("of $list does not begin at the cursor of any other list", async (kind) => {
    const position = { first: "1", second: "000000000001-000001" };
    for (const other of lists) {
      const { nextCursor } = paginate([2, 1], 1, other, () => position);
      const page = readPage(
        { cursor: nextCursor ?? "", limit: 1 },
        kind,
        () => position,
        async () => [],
      );
      if (other === kind) expect((await page).rows).toEqual([]);
      else await expect(page).rejects.toThrow("must be the nextCursor of an answer, unchanged");
    }
  });

  test("may begin at a loss", () => {
    const board = leaderCursor("realised-all", true);
    const { nextCursor } = paginate([-7, -8], 1, board, place);
    expect(parseCursor(nextCursor ?? "", board)).toEqual(place(-7));
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

const holdings = holdingCursor({ chainId: 56, account });
const creations = creationCursor({ chainId: 56, account });

test.each([
  ["", positions],
  ["..", positions],
  [mint, positions],
  [`1.${mint}`, positions],
  [`positions.1.${mint}`, positions],
  [`${positions.list}.1.${mint}.1`, positions],
  [`${positions.list}.-1.${mint}`, positions],
  [`${positions.list}.1.${mint.toUpperCase()}`, positions],
  [`leaders-realised-all.-0.${mint}`, leaderCursor("realised-all", true)],
  [`leaders-realised-all.--1.${mint}`, leaderCursor("realised-all", true)],
  [`leaders-trades-all.-1.${mint}`, leaderCursor("trades-all", false)],
  [`leaders-trades-all.1.${mint}`, leaderCursor("trades-24h", false)],
  [`${positions.list}.${2n ** 63n}.${mint}`, positions],
  [`${holdings.list}.1.${mint}`, positions],
  [`${positions.list}.1.${mint}`, holdings],
  [`${holdings.list}.${"9".repeat(161)}.${mint}`, holdings],
  [`${creations.list}.1.000000000001-000001`, trades],
  [`${trades.list}.1.000000000001-000001`, creations],
])("%j is not a cursor of its kind", (text, kind) => {
  expect(parseCursor(text, kind)).toBeUndefined();
});

test("any text is either refused or parsed exactly", () => {
  const { list } = trades;
  const likely = fc.stringMatching(/^\.\d{1,20}\.\d{12}-\d{6}$/).map((text) => list + text);
  fc.assert(
    fc.property(fc.oneof(fc.string(), likely), (text) => {
      const position = parseCursor(text, trades);
      if (position !== undefined) expect(`${list}.${position.first}.${position.second}`).toBe(text);
    }),
  );
});
