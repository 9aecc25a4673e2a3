import { expect, test } from "vitest";
import { averageCost } from "./average-cost.ts";

const unit = 10n ** 18n;

test("an average cost is what the open tokens cost, for each of them, and not their value", () => {
  const open = { openTokensRaw: String(2_000_000n * unit), openCostWei: String(3n * 10n ** 16n) };
  expect(averageCost(open)).toEqual({ bnb: "0.000000015", usd: undefined });
  // They are worth 30 dollars now, 12 more than they cost.
  expect(averageCost({ ...open, valueUsd: "30", unrealisedUsd: "12" })?.usd).toBe("0.000009000000000000");
});

test("an average cost far below a wei has all of its digits", () => {
  const open = { openTokensRaw: String(10n ** 9n * unit), openCostWei: "12345" };
  expect(averageCost(open)?.bnb).toBe("0.000000000000000000000012345");
});

test.each([
  ["0", "5"],
  ["5", "0"],
])("%s tokens that cost %s wei have no average cost", (openTokensRaw, openCostWei) => {
  expect(averageCost({ openTokensRaw, openCostWei, valueUsd: "1", unrealisedUsd: "1" })).toBeUndefined();
});
