import type pg from "pg";
import { readRegistrations, readUnregisteredHidden } from "../../offchain/read-registrations.ts";
import { formatHiddenRecord, formatRecord } from "../../offchain/record.ts";

/** The lines of an export: every registration and every hidden token in a snapshot. */
export async function* exportLines(snapshot: pg.PoolClient): AsyncGenerator<string> {
  for await (const row of readRegistrations(snapshot)) yield `${formatRecord(row)}\n`;
  for (const hidden of await readUnregisteredHidden(snapshot)) yield `${formatHiddenRecord(hidden)}\n`;
}
