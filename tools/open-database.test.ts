import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { readEnvironment } from "../config/env.ts";
import { tolerateLostConnections } from "../offchain/connection.ts";
import { recordLiveSchema } from "../offchain/live-schema.ts";
import type { Supervisor } from "../runtime/process/supervisor.ts";
import { startTcpGate } from "../test/doubles/tcp-gate.ts";
import { createDatabase } from "../test/service/database.ts";
import { copyPostgresHome } from "../test/service/postgres-home.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { assertNotReplaced, cutWhenSilent, findSchema, openDatabase } from "./open-database.ts";

test("a schema that another one has replaced as the live one gets no more blocks, until it is live again", async () => {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const isReplaced = (schema: string) =>
    assertNotReplaced(pool, schema, { isSchemaSet: false }).then(
      () => false,
      ({ message }: Error) => message,
    );
  expect(await isReplaced("onchain")).toBe(false);
  await recordLiveSchema(pool, "onchain");
  // The next one, which is being indexed.
  expect([await isReplaced("onchain"), await isReplaced("onchain_2")]).toEqual([false, false]);
  await recordLiveSchema(pool, "onchain_2");
  expect(await isReplaced("onchain")).toMatch(/the schema onchain_2 has replaced onchain/);
  expect(await isReplaced("onchain_2")).toBe(false);
  await recordLiveSchema(pool, "onchain");
  expect(await isReplaced("onchain")).toBe(false);

  const reader = new pg.Pool({ connectionString: database.readUrl, max: 1 });
  onTestFinished(() => reader.end());
  await expect(assertNotReplaced(reader, "onchain", { isSchemaSet: false })).resolves.toBeUndefined();
});

test("a schema that was repaired in another one is not read, even if DATABASE_SCHEMA names it", async () => {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const settings = readEnvironment({ DATABASE_URL: database.url, DATABASE_SCHEMA: "onchain" });
  await recordLiveSchema(pool, "onchain");
  await recordLiveSchema(pool, "onchain_2");
  // An upgrade, to whose schema the setting was not changed.
  expect(await findSchema(pool, settings)).toBe("onchain");
  await assertNotReplaced(pool, "onchain", settings);
  await database.query(
    `insert into offchain.repair_request (chain_id, from_block, cause, reason, repaired_in, stale)
     values (56, 1, 'reorg', 'test', 'onchain_2', '{onchain}')`,
  );
  expect(await findSchema(pool, settings)).toBe("onchain_2");
  await assertNotReplaced(pool, "onchain_2", settings);
  await expect(assertNotReplaced(pool, "onchain", settings)).rejects.toThrow(
    "the schema onchain_2 has replaced onchain",
  );

  const reader = new pg.Pool({ connectionString: database.readUrl, max: 1 });
  onTestFinished(() => reader.end());
  expect(await findSchema(reader, settings)).toBe("onchain");
  await assertNotReplaced(reader, "onchain", settings);
});

test("whatever a database has set for its sessions, commands read dates as they are, and take as long as they need", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`alter database "${name}" set DateStyle = 'SQL, DMY';
    alter database "${name}" set statement_timeout = '1min';
    alter database "${name}" set idle_in_transaction_session_timeout = '1min'`);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const supervisor = { signal: stopping.signal } as Supervisor;
  const pool = await openDatabase(supervisor, readEnvironment({ DATABASE_URL: database.url }));
  onTestFinished(() => pool.end());
  const { rows } = await pool.query(`select timestamptz '2026-11-05 10:00Z' as time,
    current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`);
  expect(rows).toEqual([{ time: new Date("2026-11-05T10:00Z"), statement: "0", idle: "0" }]);
});

test("a command that follows the index doesn't start the Postgres that npm start needs", async () => {
  const { folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  await copyPostgresHome(path.join(folder, "postgres"));
  const adopt = vi.fn();
  const supervisor = { signal: new AbortController().signal, adopt } as unknown as Supervisor;
  const opened = openDatabase(supervisor, readEnvironment({ DATA_DIR: folder }), { isFollowing: true });
  await expect(opened).rejects.toThrow(`no Postgres runs in ${folder}/postgres: start npm start first`);
  expect(adopt).not.toHaveBeenCalled();
});

test("what waits for a database that has gone silent fails, and so does what a signal interrupts", async () => {
  const database = await createDatabase();
  const { hostname, port } = new URL(database.url);
  const gate = await startTcpGate(hostname, Number(port));
  const url = Object.assign(new URL(database.url), { port: String(gate.port) }).href;
  const pool = tolerateLostConnections(new pg.Pool({ connectionString: url, max: 1 }));
  const stopping = new AbortController();
  const watched = cutWhenSilent(pool, url, stopping.signal, { everyMs: 10, answerMs: 1_500, looks: 2 });
  onTestFinished(async () => {
    stopping.abort();
    await watched;
    await pool.end();
    await gate.stop();
    await database.drop();
  });
  await pool.query("select");
  gate.freeze();
  await expect(pool.query("select")).rejects.toThrow("Connection terminated unexpectedly");
  gate.open();
  await pool.query("select");
  const sleeping = pool.query("select pg_sleep(300)");
  stopping.abort();
  await expect(sleeping).rejects.toThrow("Connection terminated unexpectedly");
});

test("a pooler that lets a command in while Postgres behind it is silent is not waited for without end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked = Promise.withResolvers<void>();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    // AuthenticationOk and ReadyForQuery.
    socket.once("data", () => {
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
      socket.once("data", () => asked.resolve());
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as net.AddressInfo;
  const stopping = new AbortController();
  onTestFinished(() => {
    vi.useRealTimers();
    stopping.abort();
    server.close();
  });
  const supervisor = { signal: stopping.signal } as Supervisor;
  const settings = readEnvironment({ DATABASE_URL: `postgres://user@127.0.0.1:${port}/db` });
  const pool = await openDatabase(supervisor, settings, { onlyReads: true });
  const refused = expect(pool.query("select")).rejects.toThrow("Query read timeout");
  await asked.promise;
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
  await pool.end();
});
