import pg from "pg";
import { expect, inject, test } from "vitest";
import { reportUnanswered } from "./report-unanswered.ts";

test("a statement without an answer is reported once, with the process that runs it; others are not", async () => {
  const lines: string[] = [];
  reportUnanswered((line) => lines.push(line), { afterMs: 300, everyMs: 20 });
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
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
  await client.end();
});
