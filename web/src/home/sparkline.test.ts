import { expect, test } from "vitest";
import { knownPrices } from "./sparkline.tsx";

test("changes of the price lead back to the prices before them", () => {
  // It doubled in a day, halved within the last hour, and has stood still for five minutes.
  expect(knownPrices([100, 0, -50, 0])).toEqual([0.5, 1, 2, 1, 1]);
});

test("a price that isn't known is left out, and so is one from which everything was lost", () => {
  expect(knownPrices([null, -100, null, 25])).toEqual([0.8, 1]);
});
