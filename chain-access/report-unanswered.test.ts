import pg from "pg";
import { expect, inject, test } from "vitest";
import { reportUnanswered } from "./postgres-connections.ts";

test("a statement without an answer is reported once, with the process that runs it; others, indexes and locks are not", async () => {
  const lines: string[] = [];
  reportUnanswered((line) => lines.push(line), { afterMs: 300, everyMs: 20 });
  const connect = async () => {
    const client = new pg.Client({ connectionString: inject("postgresUrl") });
    await client.connect();
    return client;
  };
  const [client, owner, indexing, locking] = await Promise.all([connect(), connect(), connect(), connect()]);
  await owner.query("create table unanswered (id int)");
  await owner.query("begin; lock table unanswered; select pg_advisory_xact_lock(8271)");
  // They began before the statement that is reported.
  const waiting = [
    indexing.query("create index on unanswered (id)"),
    locking.query("select pg_advisory_lock(8271)"),
  ];
  const { rows } = await client.query("select pg_backend_pid() as pid");
  for (let quick = 0; quick < 8; quick++) await client.query("select pg_sleep(0.05)");
  expect(lines).toEqual([]);
  await client.query("select\n  pg_sleep(1.5)");
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Postgres has not answered a statement for \\d+ s \\(its process ${rows[0].pid}: select pg_sleep\\(1.5\\)\\)`,
      ),
    ),
  ]);
  await owner.query("commit");
  await Promise.all(waiting);
  await owner.query("drop table unanswered");
  await Promise.all([client, owner, indexing, locking].map((each) => each.end()));
});
