import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { onConnection } from "../../../../../offchain/connection.ts";
import { createRegistrationStore, type RegistrationStore } from "../../../../../offchain/store.ts";
import { createDatabase, type TestDatabase } from "../../../../../test/service/database.ts";
import { unsignedContent } from "../../../../../test/service/registration.ts";
import { type Filter, findMatches } from "../matching-registrations.query.ts";
import { createMatchesCache, type MatchesCache } from "./matches-cache.ts";

const chainId = 56;
const filters: Filter[] = [
  { kind: "text", chainId, query: "otter" },
  { kind: "text", chainId, query: "o" },
  { kind: "text", chainId, query: "熊" },
  { kind: "text", chainId, query: "0x1" },
  { kind: "creator", chainId, creator: "0xc1" },
  { kind: "mint", chainId, mint: "0x1f" },
];

let database: TestDatabase;
let pool: pg.Pool;
let store: RegistrationStore;
let matchesOf: MatchesCache;
let statements: string[];

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  store = createRegistrationStore(pool);
  statements = [];
  const logger = { logQuery: (query: string) => void statements.push(query) };
  matchesOf = createMatchesCache(drizzle(pool, { casing: "snake_case", logger }));
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function register(mint: string, name: string, creator: string, description: string): Promise<void> {
  const token = { chainId, mint, name, symbol: name, creator, burnPercent: 50 };
  await store.write(token, () => unsignedContent(description));
}

async function currentRegistry(): Promise<number> {
  const [row] = await database.query<{ version: string }>(
    "select version from offchain.registry where id = 1",
  );
  return Number(row?.version);
}

const matchesNow = (registry: number) =>
  Promise.all(filters.map((filter) => matchesOf(filter, registry, (work) => work())));

async function expectMatches(): Promise<void> {
  const found = await matchesNow(await currentRegistry());
  const db = drizzle(pool, { casing: "snake_case" });
  for (const [index, filter] of filters.entries()) {
    const { ids } = await findMatches(db, filter);
    expect([...(found[index]?.ids ?? [])].sort()).toEqual([...ids].sort());
  }
}

test("after each write, every filter has the matches that the database has", async () => {
  await expectMatches();
  await register("0x1f", "Otter", "0xc1", "");
  await expectMatches();
  await register("0x2f", "熊猫", "0xc2", "like an otter");
  await register("0x1e", "Ox", "0xc1", "");
  await expectMatches();
  await register("0x1f", "Otter", "0xc1", "written again");
  await register("0x2f", "熊猫", "0xc2", "no longer like one");
  await expectMatches();
});

test("one statement brings all filters up to date, whoever asks first", async () => {
  await register("0x1f", "Otter", "0xc1", "");
  await matchesNow(await currentRegistry());
  await register("0x2f", "Another otter", "0xc2", "");
  statements.length = 0;
  const found = await matchesNow(await currentRegistry());
  expect(found.map(({ ids }) => ids.length)).toEqual([2, 1, 0, 1, 1, 1]);
  expect(statements).toHaveLength(1);
});

test("a filter that is new while others are updated is read on its own", async () => {
  await register("0x1f", "Otter", "0xc1", "");
  const [first, second] = filters as [Filter, Filter];
  await matchesOf(first, await currentRegistry(), (work) => work());
  await register("0x2f", "Orca and otter", "0xc2", "");
  const registry = await currentRegistry();
  const [old, anew] = await Promise.all(
    [first, second].map((filter) => matchesOf(filter, registry, (work) => work())),
  );
  expect([old?.ids.length, anew?.ids.length]).toEqual([2, 2]);
});

/** The number of searches that wait in the database, once it is `count`. */
const untilWaiting = (count: number) =>
  expect
    .poll(async () => {
      const waiting = await database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%string_agg%'",
      );
      return waiting.length;
    })
    .toBe(count);

test("a search is ended in the database once all who wait for it have gone", async () => {
  await register("0x1f", "Otter", "0xc1", "");
  const registry = await currentRegistry();
  const [otter, o] = filters as [Filter, Filter];
  const search = (filter: Filter, signal: AbortSignal) => matchesOf(filter, registry, (work) => work(signal));
  const [gone, staying] = [new AbortController(), new AbortController()];
  await onConnection(database.url, async (slow) => {
    await slow.query("begin; lock table offchain.registration");
    const shared = [search(otter, gone.signal), search(otter, staying.signal)];
    const abandoned = search(o, gone.signal).catch(String);
    await untilWaiting(2);
    gone.abort(new Error("gone"));
    await untilWaiting(1);
    expect(await abandoned).toBe("Error: gone");
    // Whoever asks for the same again is not answered with that.
    const anew = search(o, staying.signal);
    await untilWaiting(2);
    await slow.query("commit");
    for (const { ids } of await Promise.all([...shared, anew])) expect(ids).toHaveLength(1);
  });
});
