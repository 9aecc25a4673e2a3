import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { openDatabase, queryRows } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import { priceChangeIn } from "./windows.query.ts";

const now = 1_800_000_000;
const day = 86_400;

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await database.query(`
    create schema if not exists ${onchainSchema};
    create table ${onchainSchema}.trade (chain_id int, token text, timestamp int8, id text, bnb_reserves_wei numeric,
      token_reserves_raw numeric);
    insert into ${onchainSchema}.trade values (56, 'traded before', ${now - day - 1}, 'a', 1, 2)`);
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** The change of a token's price within a day, given the prices after its last trade and at the opening of its curve. */
async function change(token: string, lastTradeAt: number, close: string, opening: string): Promise<unknown> {
  const [row] = await queryRows<{ change: number }>(
    openDatabase(pool),
    sql`select ${priceChangeIn(day)} as change
        from (values (56, ${token}::text, ${lastTradeAt}::int8, ${close}::numeric, ${opening}::numeric))
          c (chain_id, token, last_trade_at, close_price_bnb_x36, opening_price_bnb_x36),
        (values (${String(now)}::text)) at (latest_checkpoint)`,
  );
  return row?.change;
}

const half = `5${"0".repeat(35)}`;

test("a price change is from the last price before the window or, without one, from the opening price", async () => {
  expect(await change("traded before", now, `1${"0".repeat(36)}`, half)).toBe(2);
  expect(await change("new", now, "300", "200")).toBe(1.5);
  expect(await change("idle", now - day, "300", "200")).toBe(0);
});

test("a token without a price to compare with, as of a curve that never opened, keeps no others from being listed", async () => {
  expect(await change("never opened", now, "300", "0")).toBe(0);
});
