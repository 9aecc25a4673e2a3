import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startTcpGate } from "../../../test/doubles/tcp-gate.ts";
import { until } from "../../../test/service/condition.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { hasPgBouncer, startPgBouncer } from "../../../test/service/pgbouncer.ts";
import { createPool, inSnapshot, openDatabase, queryRows, queryRowsUnlessAborted } from "./database.ts";

let database: TestDatabase;
let pool: pg.Pool;
/** Locks tables one by one, as Ponder does to revert blocks. */
let locker: pg.Client;

beforeEach(async () => {
  database = await createDatabase();
  await database.query("create table a as select 1 as value; create table b as select 2 as value");
  pool = createPool({ url: database.url, name: "reader", connections: 2, statementSeconds: 10 });
  locker = new pg.Client({ connectionString: database.url });
  await locker.connect();
});

afterEach(async () => {
  await locker.end();
  await pool.end();
  await database.drop();
});

async function deadlockWithLocker<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  await locker.query("begin; lock table a in access exclusive mode");
  const reading = read();
  await until("the reader to hold b and wait for a", async () => {
    const locks = await database.query(
      `select bool_or(granted and relation = 'b'::regclass) and bool_or(not granted and relation = 'a'::regclass) as met
       from pg_locks join pg_stat_activity using (pid) where application_name = 'reader'`,
    );
    return locks[0]?.met === true;
  });
  const isLockerEnded = await locker.query("lock table b in access exclusive mode").then(
    () => false,
    (error: { code?: string }) => error.code === "40P01",
  );
  await locker.query(isLockerEnded ? "rollback" : "commit");
  const answer = await reading;
  // On a busy machine Postgres may end the locker instead of the reader.
  return isLockerEnded ? await deadlockWithLocker(read) : answer;
}

test("a query that Postgres ends to resolve a deadlock is retried", async () => {
  const db = openDatabase(pool);
  const found = await deadlockWithLocker(() =>
    queryRows(db, sql`select b.value as b, a.value as a from public.b, public.a`),
  );
  expect(found).toEqual([{ b: 2, a: 1 }]);
});

test("a snapshot is retried as a whole", async () => {
  const db = openDatabase(pool);
  const found = await deadlockWithLocker(() =>
    inSnapshot(db, async (tx) => [
      await queryRows(tx, sql`select value from public.b`),
      await queryRows(tx, sql`select value from public.a`),
    ]),
  );
  expect(found).toEqual([[{ value: 2 }], [{ value: 1 }]]);
});

test("a snapshot is read-only", async () => {
  const writing = inSnapshot(openDatabase(pool), (tx) => queryRows(tx, sql`insert into public.a values (3)`));
  await expect(writing).rejects.toMatchObject({ code: "25006" });
});

test("a server that falls silent, before a snapshot begins or amid it, costs its connection and no more", async () => {
  const url = new URL(database.url);
  const gate = await startTcpGate(url.hostname, Number(url.port));
  url.port = String(gate.port);
  const behindGate = createPool({ url: url.href, name: "behind", connections: 1, statementSeconds: 1 });
  onTestFinished(async () => {
    await gate.stop();
    await behindGate.end();
  });
  const readPid = async (tx: Parameters<Parameters<typeof inSnapshot>[1]>[0]) =>
    (await queryRows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`))[0]?.pid;
  const db = openDatabase(behindGate);
  const first = await inSnapshot(db, readPid);

  const readAgain = async (previous: number | undefined) => {
    const pid = await until("a read", () => inSnapshot(db, readPid).catch(() => undefined), 60_000);
    expect(pid).not.toBe(previous);
    return pid;
  };

  gate.freeze();
  await expect(inSnapshot(db, readPid)).rejects.toThrow();
  gate.open();
  const second = await readAgain(first);

  const amid = inSnapshot(db, async (tx) => {
    gate.freeze();
    return await readPid(tx);
  });
  await expect(amid).rejects.toThrow();
  gate.open();
  await readAgain(second);
});

test("a connection is kept after a read that fails, once its transaction is rolled back", async () => {
  const db = openDatabase(pool);
  const pids = new Set<unknown>();
  for (let read = 0; read < 3; read++) {
    const failing = inSnapshot(db, async (tx) => {
      pids.add((await queryRows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`))[0]?.pid);
      throw new Error("nothing found");
    });
    await expect(failing).rejects.toThrow("nothing found");
  }
  expect(pids.size).toBe(1);
});

test("what a process holds when it freezes is free again after a minute, or after ten outside of a transaction", async () => {
  const settings = await queryRows(
    openDatabase(pool),
    sql`select current_setting('idle_in_transaction_session_timeout') as within, current_setting('idle_session_timeout') as outside`,
  );
  expect(settings).toEqual([{ within: "1min", outside: "10min" }]);
});

test.runIf(hasPgBouncer)("a query that nobody waits for any more ends behind PgBouncer, too", async () => {
  const pooler = await startPgBouncer(database.url, "session");
  const pooled = new pg.Pool({ connectionString: pooler.url, max: 1 });
  onTestFinished(async () => {
    await pooled.end();
    await pooler.stop();
  });
  const gone = new AbortController();
  const sleep = queryRowsUnlessAborted(drizzle(pooled), sql`select pg_sleep(30)`, gone.signal).catch(String);
  const sleeping = () =>
    database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
    );
  await expect.poll(sleeping).toHaveLength(1);
  gone.abort(new Error("gone"));
  await expect.poll(sleeping, { timeout: 10_000 }).toHaveLength(0);
  expect(await sleep).toBe("Error: gone");
});
