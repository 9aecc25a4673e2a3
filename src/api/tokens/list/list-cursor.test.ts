import fc from "fast-check";
import { expect, test } from "vitest";
import { formatListCursor, hashListSelection, parseListCursor } from "./list-cursor.ts";
import type { ListPosition } from "./order/sorts.ts";

const value = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
const place: fc.Arbitrary<ListPosition> = fc.tuple(value, value, value, fc.nat());
const selection = { chainId: 56, board: "all", order: "volume", mints: [] } as const;
const hash = hashListSelection(selection);

test("a cursor holds a position exactly", () => {
  fc.assert(
    fc.property(place, (position) => {
      const cursor = formatListCursor(hash, position);
      expect(cursor).toMatch(/^[\w.-]{1,64}$/);
      expect(parseListCursor(cursor)).toEqual({ selection: hash, position });
    }),
  );
});

test.each([
  ...["", "tokens", "tokens..", `tokens.${hash}.`, `tokens.${hash}.AAAA`, "trades.1.000000000001-000001"],
  formatListCursor(hash, [1, 2, 3, 4]).replace("tokens", "trades"),
  `${formatListCursor(hash, [1, 2, 3, 4])}A`,
  formatListCursor("", [1, 2, 3, 4]),
  formatListCursor(hash, [-1, 2, 3, 4]),
  formatListCursor(hash, [Number.NaN, 2, 3, 4]),
  // Other characters for the same bytes.
  formatListCursor(hash, [1, 2, 3, 0]).replace(/A$/, "B"),
  "A".repeat(100_000),
])("%.60j is not a cursor of the list", (text) => expect(parseListCursor(text)).toBeUndefined());

test("any text is either refused or parsed exactly", () => {
  const alike = fc.stringMatching(/^tokens\.[\w-]{8}\.[\w-]{43}$/);
  fc.assert(
    fc.property(fc.oneof(fc.string(), alike), (text) => {
      const cursor = parseListCursor(text);
      if (cursor !== undefined) expect(formatListCursor(cursor.selection, cursor.position)).toBe(text);
    }),
  );
});

test.each<[string, Partial<Parameters<typeof hashListSelection>[0]>]>([
  ["chain", { chainId: 97 }],
  ["board", { board: "new" }],
  ["sort", { order: "trades" }],
  ["search", { query: "otter" }],
  ["creator", { creator: "0x1" }],
  ["mint", { mints: ["0x1"] }],
  ["condition", { conditions: { minHolders: 1 } }],
])("a list with another %s has another hash", (_, changed) => {
  expect(hashListSelection({ ...selection, ...changed })).not.toBe(hash);
});
