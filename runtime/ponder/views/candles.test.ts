import { candle } from "ponder:schema";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, PgDialect } from "drizzle-orm/pg-core";
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

test("an index has the time of each candle that the view merges, so that SQL finds it without a token", () => {
  const byTime = getTableConfig(candle).indexes.find(({ config }) => config.name === "candle_time_index");
  const indexed = (byTime?.config.columns ?? []).flatMap((column) =>
    is(column, SQL) ? new PgDialect().sqlToQuery(column).sql : [],
  );
  const lengths = candleIntervals.filter(({ interval, of }) => interval !== of).map(({ seconds }) => seconds);
  const missing = lengths.filter((seconds) => !indexed.some((time) => time.endsWith(` % ${seconds})`)));
  expect(missing, "seconds that mergedTimesOf in ponder.schema.ts lacks").toEqual([]);
  expect(indexed).toHaveLength(1 + lengths.length);
});
