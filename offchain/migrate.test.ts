import { readFileSync } from "node:fs";
import { getTableColumns } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../test/service/condition.ts";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { migrateOffchain } from "./migrate.ts";
import { registration } from "./schema.ts";
import { searchText } from "./search.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

test("the migrations create the table that the schema describes", async () => {
  const casing = new CasingCache("snake_case");
  const described = Object.values(getTableColumns(registration)).map((column) => ({
    name: casing.getColumnCasing(column),
    type: column.getSQLType(),
    nullable: column.notNull ? "NO" : "YES",
  }));
  described.sort((left, right) => (left.name < right.name ? -1 : 1));
  const made = await database.query(
    `select column_name as name, data_type as type, is_nullable as nullable from information_schema.columns
     where table_schema = 'offchain' and table_name = 'registration' order by column_name collate "C"`,
  );
  expect(made).toEqual(described);
});

test("a second run changes nothing and keeps every row", async () => {
  await database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent)
     values (56, '0xaa', 'A', 'A', '0xbb', 50)`,
  );
  const before = await database.query("select * from offchain.registration");
  await migrateOffchain(database.url);
  expect(await database.query("select * from offchain.registration")).toEqual(before);
});

test("processes that start together take turns", async () => {
  await database.query("drop schema offchain cascade");
  await Promise.all(Array.from({ length: 5 }, () => migrateOffchain(database.url)));
  expect(await database.query("select count(*)::int as rows from offchain.registration")).toEqual([
    { rows: 0 },
  ]);
  const [ran] = await database.query("select count(*)::int as migrations from offchain.migration");
  expect(ran?.migrations).toBeGreaterThanOrEqual(1);
});

test("what the role has set for its sessions doesn't change what the migrations do", async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`drop schema offchain cascade;
    alter database "${name}" set standard_conforming_strings = off;
    alter database "${name}" set search_path = nowhere`);
  await migrateOffchain(database.url);
  expect(await database.query("select from offchain.registration")).toEqual([]);
});

async function createFirstVersion(): Promise<void> {
  await database.query("drop schema offchain cascade");
  const read = (file: string) => readFileSync(new URL(`./migrations/${file}`, import.meta.url), "utf8");
  const [first] = (JSON.parse(read("meta/_journal.json")) as { entries: { tag: string; when: number }[] })
    .entries;
  for (const statement of read(`${first?.tag}.sql`).split("--> statement-breakpoint")) {
    await database.query(statement);
  }
  await database.query(
    "create table offchain.migration (id serial primary key, hash text not null, created_at bigint)",
  );
  await database.query("insert into offchain.migration (hash, created_at) values ('first', $1)", [
    first?.when,
  ]);
}

test("a database of the first version keeps its registrations, which become searchable", async () => {
  await createFirstVersion();
  await database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent)
     values (56, '0xaa', 'Brave ❤️ Otter', 'OTR', '0xbb', 50),
       (56, '0xab', U&'Brave  \\00a0\\3000 Otter', 'OT  R', '0xbb', 50)`,
  );

  await migrateOffchain(database.url);
  const search = searchText({ name: "Brave ❤️ Otter", symbol: "OTR" });
  const spaced = { name: "Brave  \u00a0\u3000 Otter", symbol: "OT  R" };
  expect(
    await database.query("select mint, name, search, verified from offchain.registration order by id"),
  ).toEqual([
    { mint: "0xaa", name: "Brave ❤️ Otter", search, verified: false },
    { mint: "0xab", name: spaced.name, search: searchText(spaced), verified: false },
  ]);
});

test("while a migration waits for a long reader, others read on", async () => {
  await createFirstVersion();
  const reader = new pg.Client(database.url);
  await reader.connect();
  try {
    await reader.query("begin; select from offchain.registration");
    const migrated = migrateOffchain(database.url);
    await until("the migration to wait for the reader", async () => {
      const waiting = await database.query(
        "select from pg_locks where relation = 'offchain.registration'::regclass and not granted",
      );
      return waiting.length > 0;
    });
    expect(await database.query("select mint from offchain.registration")).toEqual([]);
    await reader.query("commit");
    await migrated;
  } finally {
    await reader.end();
  }
  expect(await database.query("select search from offchain.registration")).toEqual([]);
});
