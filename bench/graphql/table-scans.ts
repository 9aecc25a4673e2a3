import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

/** A table with this many rows counts as large. */
const minLargeRows = 10_000;
/** Postgres publishes the statistics of an idle connection after ten seconds. */
const statisticsDelayMs = 11_000;

/** Counts the complete scans of each large table so far, by all sessions. */
export async function countTableScans(client: pg.Client): Promise<Map<string, number>> {
  await delay(statisticsDelayMs);
  const { rows } = await client.query<{ table: string; scans: string }>(
    `select schemaname || '.' || relname as table, seq_scan as scans from pg_stat_user_tables
     where schemaname in ('onchain', 'offchain') and n_live_tup >= $1`,
    [minLargeRows],
  );
  return new Map(rows.map(({ table, scans }) => [table, Number(scans)]));
}
