import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";

/** Streams a query's rows from Postgres to a CSV file. Resolves to their number. */
export async function copyOut(
  client: pg.ClientBase,
  { select, file, signal }: { select: string; file: string; signal: AbortSignal },
): Promise<number> {
  const rows = client.query(copyTo(`copy (${select}) to stdout (format csv)`, { highWaterMark: 1 << 20 }));
  await pipeline(rows, createWriteStream(file, { highWaterMark: 1 << 20 }), { signal });
  return rows.rowCount;
}
