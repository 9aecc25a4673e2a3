import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dropRound } from "../../../runtime/ponder/drop-minute-candles.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { openDatabase } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import type { CandleRow } from "./candles.query.ts";
import { loadCandles } from "./candles.routes.ts";
import { type Interval, intervalSpec, intervals } from "./intervals.ts";

const [minute, hour, day] = [60, 3_600, 86_400];
const days = 2;
const start = 20_000 * day;
/** The last final block; the head is some minutes later. */
const final = start + 5 * day + 30 * minute + 7;
const keptFrom = final - (final % hour) - days * day;

/** Tokens by the times of their trades. */
const tokens: Record<string, number[]> = {
  untraded: [],
  old: [start + 90, start + 3 * hour + 5],
  new: [keptFrom, keptFrom + hour + 61, final],
  both: [start + 90, keptFrom - 1, keptFrom + 12 * hour + 65, keptFrom + 12 * hour + 130],
  paused: [start + 90, keptFrom - hour, keptFrom - hour + 90, final - minute],
};

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  const amounts = ["open", "high", "low", "close"].map(
    (name) => `${name}_bnb_x36 numeric, ${name}_usd_x36 numeric`,
  );
  const checkpoint = (time: number) => `${time}`.padEnd(75, "0");
  await database.query(`
    create schema if not exists ${onchainSchema};
    create table ${onchainSchema}._ponder_meta (key text, value jsonb);
    create table ${onchainSchema}._ponder_checkpoint (chain_id int, latest_checkpoint text, finalized_checkpoint text);
    create table ${onchainSchema}.token (chain_id int, address text, created_at int8);
    create table ${onchainSchema}.curve (chain_id int, token text, opening_price_bnb_x36 numeric, opening_price_usd_x36 numeric);
    create table ${onchainSchema}.candle (chain_id int, token text, interval text, open_time int8, ${amounts}, volume_wei numeric, volume_raw numeric,
      volume_usd_x18 numeric, trades int);
    insert into ${onchainSchema}._ponder_checkpoint values (56, '${checkpoint(final + 5 * minute)}', '${checkpoint(final)}')`);
  for (const [address, times] of Object.entries(tokens)) {
    await database.query(`insert into ${onchainSchema}.token values (56, $1, $2)`, [address, start]);
    await database.query(`insert into ${onchainSchema}.curve values (56, $1, 100, null)`, [address]);
    for (const seconds of [minute, hour]) {
      const byInterval = Map.groupBy(
        times.map((time, index) => ({ time, price: 101 + index })),
        ({ time }) => time - (time % seconds),
      );
      for (const [openTime, trades] of byInterval) {
        const prices = trades.map(({ price }) => price);
        await database.query(
          `insert into ${onchainSchema}.candle (chain_id, token, interval, open_time, open_bnb_x36, high_bnb_x36, low_bnb_x36, close_bnb_x36, volume_wei,
             volume_raw, trades) values (56, $1, $2, $3, $4, $5, $4, $5, 7, 7, $6)`,
          [
            address,
            seconds === minute ? "1m" : "1h",
            openTime,
            Math.min(...prices) - 1,
            Math.max(...prices),
            trades.length,
          ],
        );
      }
    }
  }
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** All candles of all tokens. */
async function loadAll(): Promise<Map<string, CandleRow[]>> {
  const loaded = new Map<string, CandleRow[]>();
  for (const mint of Object.keys(tokens)) {
    for (const interval of intervals) {
      const request = { chainId: 56, mint, interval, limit: 100_000 };
      loaded.set(`${mint} ${interval}`, (await loadCandles(openDatabase(pool), request)) ?? []);
    }
  }
  return loaded;
}

const drop = () =>
  dropRound(
    async (work) => {
      const client = await pool.connect();
      return await work(client).finally(() => client.release());
    },
    { schema: onchainSchema, days, signal: new AbortController().signal },
  );

test("what was dropped is left out, and every other candle is the same as before", async () => {
  const before = await loadAll();
  expect(await drop(), "during the first sync").toBe(false);
  await database.query(`insert into ${onchainSchema}._ponder_meta values ('app', '{"is_ready": 1}')`);
  expect(await drop()).toBe(true);

  const left = await database.query(
    `select distinct interval from ${onchainSchema}.candle where open_time < $1`,
    [keptFrom],
  );
  expect(left).toEqual([{ interval: "1h" }]);
  for (const [name, candles] of await loadAll()) {
    const [mint = "", interval] = name.split(" ") as [string, Interval];
    const lastDropped = Math.max(...(tokens[mint] ?? []).filter((time) => time < keptFrom));
    const isShort = intervalSpec(interval).storedInterval === "1m";
    const from = isShort && lastDropped > 0 ? lastDropped - (lastDropped % hour) + hour : 0;
    expect(candles, name).toEqual(before.get(name)?.filter(({ open_time }) => Number(open_time) >= from));
    expect(candles.length, name).toBeGreaterThan(0);
  }
});
