import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { type KeptConnection, keepConnection } from "./connection.ts";

let database: TestDatabase;
let stopping: AbortController;
let onDatabase: KeptConnection;

beforeEach(async () => {
  database = await createDatabase();
  stopping = new AbortController();
  onDatabase = keepConnection(database.url, stopping.signal);
});
afterEach(async () => {
  stopping.abort();
  await database.drop();
});

const readPid = async (client: pg.ClientBase) =>
  (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;
/** Ends a connection as a restart of Postgres does. */
const cut = (pid: number) => database.query("select pg_terminate_backend($1)", [pid]);

test("the connection is kept, and replaced when it was lost between two uses", async () => {
  const pid = await onDatabase(readPid);
  expect(await onDatabase(readPid)).toBe(pid);
  await cut(pid);
  // The first use may be the one that notices.
  await expect.poll(() => onDatabase(readPid).catch(() => pid)).not.toBe(pid);
});

test("it is replaced when it was lost in use, or left in an unknown state", async () => {
  const pid = await onDatabase(readPid);
  const failing = onDatabase(async (client) => {
    await cut(pid);
    await client.query("select");
  });
  await expect(failing).rejects.toThrow();
  const second = await onDatabase(readPid);
  expect(second).not.toBe(pid);
  const leaving = onDatabase(async (client) => {
    await client.query("begin");
    throw new Error("left");
  });
  await expect(leaving).rejects.toThrow("left");
  expect(await onDatabase(readPid)).not.toBe(second);
});

test("it is closed once the signal aborts, after what is under way", async () => {
  const pid = await onDatabase(async (client) => {
    stopping.abort();
    return await readPid(client);
  });
  await expect.poll(() => database.query("select from pg_stat_activity where pid = $1", [pid])).toEqual([]);
  await expect(onDatabase(readPid)).rejects.toThrow();
});
