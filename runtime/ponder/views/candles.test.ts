import { expect, test } from "vitest";
import { intervals, termsOf } from "../../../src/api/candles/intervals.ts";
import { candleIntervals } from "./candles.ts";

test("the view for analysts has the intervals of REST", () => {
  expect(candleIntervals).toEqual(
    intervals.map((interval) => {
      const { seconds, madeOf, before1970 } = termsOf(interval);
      return { interval, of: madeOf, seconds: Number(seconds), before1970: Number(before1970) };
    }),
  );
});
