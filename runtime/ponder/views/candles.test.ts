import { expect, test } from "vitest";
import { intervalSpec, intervals } from "../../../src/api/candles/intervals.ts";
import { candleIntervals } from "./candles.ts";

test("the view for analysts has the intervals of REST", () => {
  expect(candleIntervals).toEqual(
    intervals.map((interval) => {
      const { seconds, storedInterval, epochOffset } = intervalSpec(interval);
      return { interval, of: storedInterval, seconds: Number(seconds), before1970: Number(epochOffset) };
    }),
  );
});
