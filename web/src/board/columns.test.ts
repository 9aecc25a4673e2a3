import { expect, test } from "vitest";
import { columnOf, compareIn, nextShown } from "./columns.ts";
import { afterTrade, type Row } from "./row.ts";

test.each([
  [{ graduated: false, progress: 79.9999 }, "new"],
  [{ graduated: false, progress: 80 }, "graduating"],
  [{ graduated: true, progress: 100 }, "graduated"],
] as const)("a token with %o is in the column %s", (token, column) => {
  expect(columnOf(token)).toBe(column);
});

const entry = (createdAt: string, progress: number, graduatedAt: string) =>
  ({ createdAt, progress, graduatedAt }) as Row;

test("the latest created or graduated come first, or what is about to graduate", () => {
  const old = entry("2026-01-01T00:00:00Z", 90, "2026-01-04T00:00:00Z");
  const young = entry("2026-01-02T00:00:00Z", 85, "2026-01-03T00:00:00Z");
  expect([old, young].sort(compareIn.new)[0]).toBe(young);
  expect([young, old].sort(compareIn.graduating)[0]).toBe(old);
  expect([young, old].sort(compareIn.graduated)[0]).toBe(old);
});

test("a paused column keeps its cards and counts those that wait", () => {
  expect(nextShown(["a", "b"], ["c", "b", "d"], true)).toEqual({ mints: ["a", "b"], waiting: 2 });
  expect(nextShown(["a", "b"], ["c", "b"], false)).toEqual({ mints: ["c", "b"], waiting: 0 });
});

test("a paused column without cards fills, as one that is read while the pointer is in it", () => {
  expect(nextShown([], ["c", "d"], true)).toEqual({ mints: ["c", "d"], waiting: 0 });
});

test("a trade changes price, market cap, progress and volume of its row", () => {
  const row = {
    graduated: false,
    progress: 10,
    priceBnb: "0.000001",
    priceUsd: "0.0006",
    marketCapBnb: "100",
    marketCapUsd: "60000",
    windows: { "24h": { trades: 1, volumeBnb: "1", volumeUsd: "600" } },
  } as unknown as Row;
  const trade = {
    priceAfterBnb: "0.000002",
    priceAfterUsd: "0.0012",
    progress: 20,
    bnbAmountWei: "500000000000000000",
    amountUsd: "300",
  } as Parameters<typeof afterTrade>[1];
  const next = afterTrade(row, trade);
  expect([Number(next.marketCapBnb), Number(next.marketCapUsd), next.progress]).toEqual([200, 120_000, 20]);
  const day = next.windows["24h"];
  expect([day.trades, Number(day.volumeBnb), Number(day.volumeUsd)]).toEqual([2, 1.5, 900]);
});
