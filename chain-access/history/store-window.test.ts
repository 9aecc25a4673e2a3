import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { inTransaction } from "./store-window.ts";

test("a transaction whose connection is lost rejects, and the thread lives on", async () => {
  const { url, query, drop } = await createDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {});
  onTestFinished(async () => {
    await pool.end();
    await drop();
  });
  const pidOf = async (client: pg.PoolClient): Promise<number> =>
    (await client.query("select pg_backend_pid() as pid")).rows[0].pid;

  const pids: number[] = [];
  const losing = inTransaction(pool, async (client) => {
    pids.push(await pidOf(client));
    const ended = new Promise((resolve) => client.once("end", resolve));
    await query("select pg_terminate_backend($1)", [pids[0]]);
    await ended;
    await client.query("select");
  });
  await expect(losing).rejects.toThrow();
  // The next ones share a new connection, which gathers no listeners.
  for (const _ of [1, 2]) {
    await inTransaction(pool, async (client) => {
      pids.push(await pidOf(client));
      expect(client.listenerCount("error")).toBe(1);
    });
  }
  expect(new Set(pids).size).toBe(2);
  expect(pids[1]).toBe(pids[2]);
});
