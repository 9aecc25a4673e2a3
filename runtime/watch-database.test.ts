import pg from "pg";
import { afterEach, expect, inject, test } from "vitest";
import { watchDatabase } from "./watch-database.ts";

const stopping: AbortController[] = [];
afterEach(() => {
  for (const controller of stopping.splice(0)) controller.abort();
});

/** Cuts every connection of the watch, as a crash of Postgres does. Resolves with how many there were. */
async function cut(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  const { rowCount } = await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'database_watch' and datname = $1",
    [database],
  );
  await client.end();
  return rowCount ?? 0;
}

test("tells each time that the connection is lost, and ends with its signal", async () => {
  const url = new URL(inject("postgresUrl"));
  url.pathname = "/template1";
  const controller = new AbortController();
  stopping.push(controller);
  let lost = 0;
  const watching = watchDatabase({
    url: url.href,
    signal: controller.signal,
    onLost: () => {
      lost++;
    },
  });
  for (const expected of [1, 2]) {
    await expect.poll(() => cut("template1"), { timeout: 5_000 }).toBe(1);
    await expect.poll(() => lost).toBe(expected);
  }
  controller.abort();
  await watching;
  expect(lost).toBe(2);
});
