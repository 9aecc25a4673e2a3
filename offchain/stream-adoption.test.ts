import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { journalLocks } from "./advisory-locks.ts";
import { adoptJournal, copyJournal, pauseJournal } from "./stream-adoption.ts";
import { appendStreamEvents, restartStream, retractStreamEvents, saveStreamState } from "./stream-store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;
let db: ReturnType<typeof drizzle>;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  client = await pool.connect();
  db = drizzle(pool);
});
afterEach(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

const events = (...positions: string[]) =>
  positions.map((position) => ({
    chainId: 56,
    position,
    kind: "trade" as const,
    mint: "0xaa",
    creator: null,
    fingerprint: `f${position}`,
    data: "{}",
  }));

const journal = (schema: string) =>
  database.query<{ id: string; position: string; current: boolean; removed: boolean }>(
    "select id, position, current, removed, data, at from offchain.stream_event where schema = $1 order by id",
    [schema],
  );

const state = (schema: string) => ({
  schema,
  chainId: 56,
  stamp: "stamp",
  build: "build",
  trigger: "trigger",
  latestBlock: 9,
  compared: "9",
  settled: "2",
  settledAt: 1_750_000_000,
});

/** The journal of "onchain" with three events, and one that "onchain_2" has begun. */
async function begin(): Promise<void> {
  const begun = await restartStream(db, "onchain", 56);
  await saveStreamState(db, state("onchain"), begun);
  await appendStreamEvents(db, "onchain", events("1", "3", "5"));
  await pauseJournal(client, "onchain_2");
  await saveStreamState(db, state("onchain_2"), await restartStream(db, "onchain_2", 56));
}

test("a journal continues in another schema with its ids, and again from there", async () => {
  await begin();
  const adoption = { from: "onchain", to: "onchain_2" };
  const settled = await copyJournal(client, adoption);
  // Meanwhile a reorg replaces the last event, and more follow.
  const last = (await journal("onchain")).at(-1);
  await retractStreamEvents(db, "onchain", [Number(last?.id)]);
  await appendStreamEvents(db, "onchain", events("5", "6"));

  await adoptJournal(client, { ...adoption, settled }, async () => {});
  const [from, to] = [await journal("onchain"), await journal("onchain_2")];
  expect(from).toHaveLength(7);
  expect(to).toEqual(from);
  expect(await database.query("select * from offchain.stream_pause")).toEqual([{ schema: "onchain" }]);
  const [first] = from;
  expect(await database.query("select * from offchain.stream_state where schema = 'onchain_2'")).toEqual([
    {
      schema: "onchain_2",
      chain_id: 56,
      begun: first?.id,
      stamp: null,
      build: "",
      trigger: "",
      latest_block: "9",
      compared: "9",
      settled: "2",
      settled_at: "1750000000",
    },
  ]);

  await appendStreamEvents(db, "onchain_2", events("7"));
  expect(Number((await journal("onchain_2")).at(-1)?.id)).toBeGreaterThan(Number(from.at(-1)?.id));
  const back = { from: "onchain_2", to: "onchain" };
  const written = () =>
    database.query(
      "select xmin::text from offchain.stream_event where schema = 'onchain' order by id limit 7",
    );
  const before = await written();
  await adoptJournal(client, { ...back, settled: await copyJournal(client, back) }, async () => {});
  expect(await journal("onchain")).toEqual(await journal("onchain_2"));
  // Concurrent readers miss nothing.
  expect(await written()).toEqual(before);
  expect(await database.query("select * from offchain.stream_pause")).toEqual([{ schema: "onchain_2" }]);
});

test("a reorg between two batches of the copy doesn't end it", async () => {
  await begin();
  let batches = 0;
  const query = async (...args: Parameters<pg.PoolClient["query"]>) => {
    const result = await client.query(...args);
    if (String(args[0]).includes("insert into") && batches++ === 0) {
      const last = (await journal("onchain")).at(-1);
      await retractStreamEvents(db, "onchain", [Number(last?.id)]);
      await appendStreamEvents(db, "onchain", events("5"));
    }
    return result;
  };
  const adoption = { from: "onchain", to: "onchain_2" };
  const settled = await copyJournal({ query } as unknown as pg.PoolClient, adoption);
  expect(await journal("onchain_2")).toEqual(await journal("onchain"));
  await adoptJournal(client, { ...adoption, settled }, async () => {});
  expect(await journal("onchain_2")).toHaveLength(6);
});

test("a failed adoption leaves both journals unchanged and nothing locked", async () => {
  await begin();
  const adoption = { from: "onchain", to: "onchain_2" };
  const settled = await copyJournal(client, adoption);
  await appendStreamEvents(db, "onchain", events("6"));
  const fail = async () => {
    throw new Error("no");
  };
  await expect(adoptJournal(client, { ...adoption, settled }, fail)).rejects.toThrow("no");
  expect(await journal("onchain_2")).toHaveLength(4);
  expect(await database.query("select * from offchain.stream_pause")).toEqual([{ schema: "onchain_2" }]);
  expect(
    await database.query(
      "select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    ),
  ).toEqual([]);
});

test("an adoption gives up on a journal that another process keeps locked", async () => {
  await begin();
  const adoption = { from: "onchain", to: "onchain_2" };
  const settled = await copyJournal(client, adoption);
  const other = new pg.Client(database.url);
  await other.connect();
  try {
    await other.query("select pg_advisory_lock($1, hashtext('onchain_2'))", [journalLocks]);
    const adopted = adoptJournal(client, { ...adoption, settled, patienceMs: 50 }, async () => {});
    await expect(adopted).rejects.toThrow("lock timeout");
  } finally {
    await other.end();
  }
  await adoptJournal(client, { ...adoption, settled }, async () => {});
  expect(await database.query("select * from offchain.stream_pause")).toEqual([{ schema: "onchain" }]);
});
