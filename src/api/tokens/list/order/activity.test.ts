import { expect, test } from "vitest";
import { trendingScore } from "./activity-table.ts";

test.each([
  [{ "1h": 0, "6h": 0, "24h": 0 }, 0],
  [{ "1h": 1, "6h": 1, "24h": 1 }, 29],
  [{ "1h": 0, "6h": 1, "24h": 1 }, 5],
  [{ "1h": 0, "6h": 0, "24h": 1 }, 1],
  [{ "1h": 3, "6h": 20, "24h": 100 }, 252],
])("%j: %i", (traders, score) => {
  expect(trendingScore(traders)).toBe(score);
});
