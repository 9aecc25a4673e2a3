import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

/** Rows from which a table is a large one. */
const large = 10_000;
/** Postgres reports what an idle connection has done after ten seconds. */
const reportedAfterMs = 11_000;

/** How often each large table was read from end to end so far, by everybody. */
export async function countTableScans(client: pg.Client): Promise<Map<string, number>> {
  await delay(reportedAfterMs);
  const { rows } = await client.query<{ table: string; scans: string }>(
    `select schemaname || '.' || relname as table, seq_scan as scans from pg_stat_user_tables
     where schemaname in ('onchain', 'offchain') and n_live_tup >= $1`,
    [large],
  );
  return new Map(rows.map(({ table, scans }) => [table, Number(scans)]));
}
