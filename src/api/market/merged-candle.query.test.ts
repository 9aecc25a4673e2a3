import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { maxUint256 } from "../../domain/amounts.ts";
import type { CandleRow } from "../candles/candles.query.ts";
import { type Interval, intervalSpec } from "../candles/intervals.ts";
import { columnList } from "../database/columns.ts";
import { openDatabase, queryRows } from "../database/database.ts";
import { mergedCandle } from "./merged-candle.query.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const minute = 60;
const monday = Date.parse("2026-02-23T00:00:00Z") / 1_000;

/** A candle with one trade, with prices in USD if there is a rate. */
const moved = (openTime: number, from: number, to: number, rate?: number, volume = "5"): CandleRow => ({
  open_time: String(openTime),
  open_bnb_x36: String(from),
  close_bnb_x36: String(to),
  trades: 1,
  volume_wei: volume,
  volume_raw: "7",
  high_bnb_x36: String(Math.max(from, to)),
  low_bnb_x36: String(Math.min(from, to)),
  ...inUsd(from, to, rate),
});

const inUsd = (from: number, to: number, rate?: number) => ({
  open_usd_x36: rate === undefined ? null : String(from * rate),
  close_usd_x36: rate === undefined ? null : String(to * rate),
  high_usd_x36: rate === undefined ? null : String(Math.max(from, to) * rate),
  low_usd_x36: rate === undefined ? null : String(Math.min(from, to) * rate),
  volume_usd_x18: rate === undefined ? null : String(5 * rate),
});

async function merged(interval: Interval, rows: CandleRow[]): Promise<CandleRow[]> {
  const stored = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as k(open_time int8, open_bnb_x36 numeric,
    high_bnb_x36 numeric, low_bnb_x36 numeric, close_bnb_x36 numeric, volume_wei numeric, volume_raw numeric, trades int4,
    open_usd_x36 numeric, high_usd_x36 numeric, low_usd_x36 numeric, close_usd_x36 numeric, volume_usd_x18 numeric)`;
  const query = sql`select ${columnList(mergedCandle(intervalSpec(interval)))} from ${stored} group by 1 order by 1`;
  return await queryRows<CandleRow>(openDatabase(pool), query);
}

test("opens with the first candle, closes with the last, and has the range and the sums of all", async () => {
  const first = [
    moved(monday + 4 * minute, 8, 2, 30),
    moved(monday, 3, 8, 10),
    moved(monday + minute, 8, 8, 20),
  ];
  const second = moved(monday + 5 * minute, 2, 4, 30);
  expect(await merged("5m", [...first, second])).toEqual([
    {
      open_time: String(monday),
      open_bnb_x36: "3",
      high_bnb_x36: "8",
      low_bnb_x36: "2",
      close_bnb_x36: "2",
      volume_wei: "15",
      volume_raw: "21",
      trades: 3,
      open_usd_x36: "30",
      high_usd_x36: "240",
      low_usd_x36: "30",
      close_usd_x36: "60",
      volume_usd_x18: "300",
    },
    second,
  ]);
});

test("USD starts with the first candle that has a rate, and is null if none has one", async () => {
  const unrated = [moved(monday, 3, 8), moved(monday + minute, 8, 5)];
  const rated = [moved(monday + 2 * minute, 5, 6, 10), moved(monday + 3 * minute, 6, 4, 10)];
  expect(await merged("15m", [...unrated, ...rated])).toMatchObject([
    {
      open_bnb_x36: "3",
      close_bnb_x36: "4",
      trades: 4,
      open_usd_x36: "50",
      high_usd_x36: "60",
      low_usd_x36: "40",
      close_usd_x36: "40",
      volume_usd_x18: "100",
    },
  ]);
  expect(await merged("15m", unrated)).toMatchObject([inUsd(0, 0)]);
});

test("amounts of a hostile token stay within what an ERC-20 can hold", async () => {
  const huge = String(maxUint256 - 1n);
  const rows = [moved(monday, 1, 1, 1, huge), moved(monday + minute, 1, 1, 1, huge)];
  expect(await merged("30m", rows)).toMatchObject([{ volume_wei: String(maxUint256), trades: 2 }]);
});

test("a week runs from Monday to Sunday", async () => {
  const days = [-1, 0, 6, 7].map((day) => moved(monday + day * 86_400, 1, 1));
  expect(
    (await merged("1w", days)).map(({ open_time, trades }) => [Number(open_time) - monday, trades]),
  ).toEqual([
    [-7 * 86_400, 1],
    [0, 2],
    [7 * 86_400, 1],
  ]);
});
