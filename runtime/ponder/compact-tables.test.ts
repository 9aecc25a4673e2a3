import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../test/service/condition.ts";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { compactTables, createIndexesConcurrently } from "./compact-tables.ts";
import { createStoredTables, type StoredTables } from "./store/fixtures/stored-tables.ts";
import type { QueryBuilder } from "./store/ponder-types.ts";

let database: TestDatabase;
let tables: StoredTables;

beforeAll(async () => {
  // Its own database: rows that transactions of other tests can still see would be kept.
  database = await createDatabase();
  tables = await createStoredTables(database.url);
  // The state that updates leave: dead rows, and live ones in no order.
  await tables.client.query(`
    alter table balance set (autovacuum_enabled = false);
    alter table happening set (autovacuum_enabled = false);
    insert into balance select 56, md5(n::text), n, null, 'buy', true, 1, null from generate_series(1, 5000) n;
    update balance set amount = amount + 1;
    insert into happening select 56, md5(n::text), 'a' from generate_series(1, 1000) n;
  `);
  const { rows } = await tables.client.query("select pg_current_xact_id()::text as after");
  await until("the end of earlier transactions", () => areOver(rows[0].after));
});

afterAll(async () => {
  await tables.close();
  await database.drop();
});

/**
 * Whether no snapshot is left from before this transaction. Rows that one of them could see would be kept: those of this database,
 * such as autovacuum's, and those of transactions that began while one of another database had written and was not over.
 */
async function areOver(transaction: string): Promise<boolean> {
  const { rows } = await tables.client.query(
    `select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 and not exists (
       select from pg_stat_activity
       where (datname = current_database() or datname is null) and pid <> pg_backend_pid() and backend_xmin is not null
     ) as are_over`,
    [transaction],
  );
  return rows[0].are_over;
}

async function pages(table: "balance" | "happening"): Promise<number> {
  const { rows } = await tables.client.query("select pg_total_relation_size($1::regclass) / 8192 as pages", [
    table,
  ]);
  return Number(rows[0].pages);
}

const compact = (warnings: string[], qb: QueryBuilder = tables.qb, shares = {}) =>
  compactTables(qb, [tables.balance, tables.happening], (warning) => warnings.push(warning), shares);

test("the rows of a table whose compaction fails are left as they are", async () => {
  const warnings: string[] = [];
  const before = await pages("balance");
  const query = ((given: { text: string }) =>
    given.text.includes("cluster ")
      ? Promise.reject(new Error("no space left on device"))
      : tables.qb.$client.query(given)) as QueryBuilder["$client"]["query"];
  await compact(warnings, { ...tables.qb, $client: { query } });
  expect(warnings).toEqual([expect.stringMatching(/balance.*no space left on device/)]);
  expect(await pages("balance")).toBe(before);
});

test("tables end up without empty space, in the order of their keys; those of events stay in order of arrival", async () => {
  const before = { balance: await pages("balance"), happening: await pages("happening") };
  await compact([]);
  expect(await pages("balance")).toBeLessThan(before.balance * 0.7);
  expect(await pages("happening")).toBe(before.happening);
  const { rows } = await tables.client.query("select account, amount from balance");
  expect(rows.length).toBe(5_000);
  expect(rows.map(({ account }) => account)).toEqual(rows.map(({ account }) => account).toSorted());
});

test("pages of a table whose updates need room in them are not filled", async () => {
  const before = await pages("balance");
  await compact([], tables.qb, { balance: 50 });
  expect(await pages("balance")).toBeGreaterThan(before * 1.3);
  await compact([]);
  expect(await pages("balance")).toBe(before);
});

test("a table without rows isn't rewritten", async () => {
  const file = async () => (await tables.client.query("select pg_relation_filenode('balance') as file")).rows;
  await tables.client.query("create table kept as table balance; truncate balance");
  const before = await file();
  await compact([]);
  expect(await file()).toEqual(before);
  await tables.client.query("insert into balance table kept; drop table kept");
});

test("tables are compacted once, before indexes are created", async () => {
  await tables.client.query("create index on happening (account); update balance set amount = 0");
  const before = await pages("balance");
  await compact([]);
  expect(await pages("balance")).toBe(before);
});

test("all indexes are created, whatever their number", async () => {
  const names = ["a", "b", "c", "d", "e"].map((name) => `balance_${name}`);
  await createIndexesConcurrently(
    tables.qb,
    names.map((name) => `create index if not exists ${name} on balance (amount)`),
  );
  const { rows } = await tables.client.query(
    "select relname from pg_class where relname = any($1) order by relname",
    [names],
  );
  expect(rows.map(({ relname }) => relname)).toEqual(names);
});
