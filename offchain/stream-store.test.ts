import { readFile } from "node:fs/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { nextVersion } from "./store.ts";
import {
  appendStreamEvents,
  pruneStreamEvents,
  restartStream,
  retractStreamEvents,
  saveStreamState,
} from "./stream-store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let db: ReturnType<typeof drizzle>;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  db = drizzle(pool);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const schema = "onchain";

function events(...positions: string[]) {
  return positions.map((position) => ({
    chainId: 56,
    position,
    kind: "trade" as const,
    mint: "0xaa",
    creator: null,
    fingerprint: "f",
    data: JSON.stringify({ position, text: 'a "quoted"\n\u0000 \\ 🦦' }),
  }));
}

const read = (what: string) => database.query(`select ${what} from offchain.stream_event order by id`);

test("events are numbered in the order given, and keep their data unchanged", async () => {
  const given = events(...Array.from({ length: 50 }, (_, index) => String((index * 37) % 50)));
  await appendStreamEvents(db, schema, given);
  await appendStreamEvents(db, schema, []);
  expect(await read("position, data")).toEqual(given.map(({ position, data }) => ({ position, data })));
});

test("retracted events are repeated in the order given, and free their position", async () => {
  await appendStreamEvents(db, schema, events("1", "2", "3"));
  await expect(appendStreamEvents(db, schema, events("2"))).rejects.toThrow();
  const ids = (await read("id")).map(({ id }) => Number(id)).reverse();
  await retractStreamEvents(db, schema, ids.slice(0, 2));
  expect((await read("position, removed, current")).map(Object.values)).toEqual([
    ["1", false, true],
    ["2", false, false],
    ["3", false, false],
    ["3", true, false],
    ["2", true, false],
  ]);
  await appendStreamEvents(db, schema, events("2"));
});

test("old events are pruned, except what a reorg may still change, and the last one", async () => {
  const state = { schema, chainId: 56, stamp: null, build: "", trigger: "", latestBlock: 9, compared: "9" };
  await appendStreamEvents(db, schema, events("1"));
  await saveStreamState(db, { ...state, settled: "4", settledAt: 0 }, await restartStream(db, schema, 56));
  await appendStreamEvents(db, schema, events("2", "3", "5", "6"));
  await appendStreamEvents(db, "elsewhere", events("1", "2"));
  expect(await pruneStreamEvents(db, 24)).toBe(false);
  expect(await read("id")).toHaveLength(8);
  await database.query("update offchain.stream_event set at = now() - interval '25 hours'");
  expect(await pruneStreamEvents(db, 26)).toBe(false);
  expect(await read("id")).toHaveLength(8);
  expect(await pruneStreamEvents(db, 24)).toBe(false);
  expect((await read("schema, position")).map(Object.values)).toEqual([
    [schema, "5"],
    [schema, "6"],
    ["elsewhere", "2"],
  ]);
});

test("a write to the registry is notified once it is committed", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  await listener.query("listen offchain_stream");
  const heard = new Promise<void>((resolve) => listener.once("notification", () => resolve()));
  await database.query("update offchain.registry set version = version + 1");
  await heard;
  await listener.end();
});

test("the statements for a point-in-time recovery skip the numbers that clients may know already", async () => {
  const document = await readFile(new URL("../docs/operations/backups.md", import.meta.url), "utf8");
  const statements = /```sql\n([^`]+)```/.exec(document)?.[1] ?? "";
  expect(statements.match(/;/g)).toHaveLength(2);
  const version = await db.transaction(nextVersion);
  // A journal may be empty.
  await database.query(statements);
  await appendStreamEvents(db, schema, events("1"));
  await database.query(statements);
  await appendStreamEvents(db, schema, events("2"));
  const [known, next] = (await read("id")).map(({ id }) => Number(id));
  expect(next).toBe(Number(known) + 1_000_001);
  expect(await db.transaction(nextVersion)).toBe(version + 2_000_001);
});
