import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startTcpGate } from "../../test/doubles/tcp-gate.ts";
import { databaseForEachTest } from "../../test/service/database.ts";
import { StartError } from "../start-error.ts";
import { freezeIndex } from "./indexed-schemas.ts";
import { createSchemaLock } from "./schema-lock.ts";

const database = databaseForEachTest();
let stopping: AbortController;
let lost: number;

beforeEach(() => {
  stopping = new AbortController();
  lost = 0;
});
afterEach(() => stopping.abort());

const create = (schema = "onchain", signal = stopping.signal) =>
  createSchemaLock({
    url: database.url,
    schema,
    signal,
    onLost: () => {
      lost++;
    },
  });

/** Cuts the lock's connection, as if Postgres had crashed. */
const cut = () =>
  database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'schema_lock' and datname = current_database()",
  );

test("a second lock on the same schema is refused with advice; another schema is free", async () => {
  await create().acquire();
  await expect(create().acquire()).rejects.toThrow(StartError);
  await expect(create().acquire()).rejects.toThrow(
    /another process indexes into the schema onchain .* DATABASE_SCHEMA/,
  );
  await create("onchain_2").acquire();
});

test("the lock is free again when its holder is gone", async () => {
  const gone = new AbortController();
  await create("onchain", gone.signal).acquire();
  gone.abort();
  await expect
    .poll(() =>
      create()
        .acquire()
        .then(
          () => "acquired",
          () => "refused",
        ),
    )
    .toBe("acquired");
  expect(lost).toBe(0);
});

test("each lost connection is reported, and the lock can be acquired again", async () => {
  const lock = create();
  for (const expected of [1, 2]) {
    await lock.acquire();
    await cut();
    await expect.poll(() => lost).toBe(expected);
  }
  await lock.acquire();
  await expect(create().acquire()).rejects.toThrow(StartError);
});

test("a holder that gets no answers gives up, and its lock is free for others while a living holder's is not", async () => {
  const { hostname, port } = new URL(database.url);
  const gate = await startTcpGate(hostname, Number(port));
  const url = Object.assign(new URL(database.url), { host: `127.0.0.1:${gate.port}` }).href;
  const options = { schema: "onchain", signal: stopping.signal, heartbeatMs: 200 };
  const holder = createSchemaLock({ ...options, url, onLost: () => lost++ });
  const standby = createSchemaLock({ ...options, url: database.url, onLost() {} });
  await holder.acquire();
  const indexer = new pg.Client({ connectionString: url, application_name: "onchain_user" });
  const cut = new Promise((resolve) => indexer.on("error", resolve));
  await indexer.connect();
  try {
    for (let look = 0; look < 15; look++) {
      expect(await standby.tryAcquire()).toBe(false);
      await delay(200);
    }
    expect(lost).toBe(0);

    gate.freeze();
    await expect.poll(() => lost).toBe(1);
    await expect.poll(() => standby.tryAcquire(), { interval: 200 }).toBe(true);
    gate.open();
    await cut;
    await expect(holder.acquire()).rejects.toThrow(StartError);
  } finally {
    await indexer.end().catch(() => {});
    await gate.stop();
  }
});

test("a standby whose connection has become silent looks through another one", async () => {
  const { hostname, port } = new URL(database.url);
  const gate = await startTcpGate(hostname, Number(port));
  onTestFinished(gate.stop);
  const url = Object.assign(new URL(database.url), { host: `127.0.0.1:${gate.port}` }).href;
  const options = { schema: "onchain", signal: stopping.signal, heartbeatMs: 200, onLost() {} };
  await create().acquire();
  const standby = createSchemaLock({ ...options, url });
  expect(await standby.tryAcquire()).toBe(false);
  gate.freeze();
  gate.replace();
  await expect(standby.tryAcquire()).rejects.toThrow("timeout");
  expect(await standby.tryAcquire()).toBe(false);
});

test("a dead indexer's lock is released, a living indexer's is not", async () => {
  await database.query("create schema onchain");
  await database.query("create table onchain._ponder_meta (key text primary key, value jsonb)");
  await database.query(
    `insert into onchain._ponder_meta values ('app', '{"is_locked": 1, "build_id": "x"}')`,
  );
  const meta = async () => (await database.query("select value from onchain._ponder_meta"))[0]?.value;

  const { default: pg } = await import("pg");
  const indexer = new pg.Client({ connectionString: database.url, application_name: "onchain_user" });
  await indexer.connect();
  const acquiring = create().acquire();
  await expect
    .poll(() =>
      database.query(
        "select 1 from pg_stat_activity where application_name = 'schema_lock' and query like '%pg_stat_activity%'",
      ),
    )
    .not.toEqual([]);
  expect(await meta()).toEqual({ is_locked: 1, build_id: "x" });
  await indexer.end();
  await acquiring;
  expect(await meta()).toEqual({ is_locked: 0, build_id: "x" });
});

test("an index is not frozen for longer than allowed, even if the process that froze it hangs", async () => {
  await database.query(
    "create schema onchain; create table onchain._ponder_checkpoint (latest_checkpoint text)",
  );
  const client = new pg.Client(database.url);
  // Another error follows when the connection ends.
  const ended = new Promise((resolve) => client.on("error", resolve));
  await client.connect();
  try {
    await freezeIndex(client, "onchain", { atMostMs: 100 });
    // Waits until the table is free again.
    await database.query("insert into onchain._ponder_checkpoint values ('next')");
    expect(await ended).toMatchObject({ message: expect.stringContaining("idle-in-transaction") });
  } finally {
    await client.end();
  }
});
