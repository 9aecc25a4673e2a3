import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";

/** Writes the rows of a query to a CSV file, as Postgres streams them, and resolves to their number. */
export async function copyOut(
  client: pg.ClientBase,
  { select, file, signal }: { select: string; file: string; signal: AbortSignal },
): Promise<number> {
  const rows = client.query(copyTo(`copy (${select}) to stdout (format csv)`, { highWaterMark: 1 << 20 }));
  await pipeline(rows, createWriteStream(file, { highWaterMark: 1 << 20 }), { signal });
  return rows.rowCount;
}
