import { is, isTable } from "drizzle-orm";
import { type PgTable, PgTransaction } from "drizzle-orm/pg-core";
import { type KeptRow, KeptRows } from "./kept-rows.ts";
import { makeRoom } from "./make-room.ts";
import { flushBegins } from "./next-events.ts";
import type { Common, IndexedEvent, QueryBuilder, Row } from "./ponder-parts.ts";
import { missingRows } from "./predicted-rows.ts";
import { deleteRow, readRows } from "./read-rows.ts";
import { exactKey, storedTable } from "./table-columns.ts";
import { writeRows } from "./write-rows.ts";

/** Twice: what the rows of the first round say tells which others an event needs. */
const rounds = 2;

export type IndexingCache = ReturnType<typeof createIndexingCache>;

/** The rows between handlers and the database, in place of Ponder's: docs/decisions/0003-ponder-pinned.md. */
export function createIndexingCache({
  common,
  schemaBuild: { schema },
  crashRecoveryCheckpoint,
  keptAtLeast = 10_000,
}: {
  common: Common;
  schemaBuild: { schema: Record<string, unknown> };
  /** How far the tables are; undefined if they are empty. */
  crashRecoveryCheckpoint: unknown;
  /** Rows of each table that are kept, once not all of them are. */
  keptAtLeast?: number;
}) {
  let qb: QueryBuilder | undefined;
  /** The transaction of the first attempt to index these events. */
  let attempt: QueryBuilder | undefined;
  const tables = Object.values(schema).filter((part) => isTable(part)) as PgTable[];
  const isEmpty = crashRecoveryCheckpoint === undefined;
  const kept = new Map(
    tables.map((table) => [table, new KeptRows(storedTable(table), { isEmpty, keptAtLeast })]),
  );
  const all = [...kept.values()];
  const { metrics } = common;

  function connection(): QueryBuilder {
    if (qb === undefined) throw new Error("Invariant(store): it is used before it has a connection");
    return qb;
  }

  /** Runs a query of a table, and counts how long it takes. */
  async function timed<T>(
    rows: KeptRows,
    method: "find" | "load" | "flush",
    query: () => Promise<T>,
  ): Promise<T> {
    const start = performance.now();
    const result = await query();
    const labels = { table: rows.stored.name, method };
    metrics.ponder_indexing_cache_query_duration.observe(labels, performance.now() - start);
    return result;
  }

  async function load(rows: KeptRows, method: "find" | "load", keys: Row[]): Promise<void> {
    const found = await timed(rows, method, () => readRows(connection(), rows.stored, keys));
    // Not what is here already: it may have changed while the database was asked.
    for (const row of found) if (rows.get(row) === undefined) rows.keep(row, row);
    for (const key of keys) if (rows.get(key) === undefined) rows.keep(key, null);
  }

  /** From now on there may be rows that are not in memory. */
  function invalidate(): void {
    for (const rows of all) rows.invalidate();
  }

  /** Forgets everything, what is not written yet among it. */
  function clear(): void {
    for (const rows of all) rows.clear();
  }

  function reportUse(rows: KeptRows): void {
    const { name } = rows.stored;
    const found = rows.isComplete ? "complete" : "hit";
    for (const [type, count] of [
      [found, rows.hits],
      ["miss", rows.misses],
    ] as const) {
      if (count > 0) metrics.incrementIndexingCacheRequests(name, type, count);
    }
    for (const [method, count] of Object.entries(rows.calls)) {
      if (count > 0) metrics.incrementIndexingStoreQueries(name, method, count);
    }
    rows.forgetUse();
  }

  return {
    rowsOf: (table: PgTable): KeptRows | undefined => kept.get(table),

    /** What is known of the row: a promise if the database has to be asked; undefined if there is none. */
    find(rows: KeptRows, given: Row): KeptRow | undefined | Promise<KeptRow | undefined> {
      const found = rows.get(given);
      if (found !== undefined) {
        rows.hits += 1;
        return found;
      }
      const key = exactKey(rows.stored, given);
      const exact = rows.get(key);
      if (exact !== undefined || rows.isComplete) {
        rows.hits += 1;
        return exact;
      }
      rows.misses += 1;
      return load(rows, "find", [key]).then(() => rows.get(key));
    },

    /** Writes everything that has changed. */
    async flush(): Promise<void> {
      flushBegins();
      // One after the other: they share the transaction's connection.
      for (const rows of all) {
        if (rows.inserts.length + rows.updates.length === 0) continue;
        await timed(rows, "flush", () => writeRows(connection(), rows));
      }
      for (const rows of all) {
        rows.settle();
        reportUse(rows);
      }
    },

    /** Brings the rows into memory that the events will need. */
    async prefetch({ events }: { events: IndexedEvent[] }): Promise<void> {
      attempt = undefined;
      makeRoom(all, common);
      for (const rows of all) rows.shrink();
      for (let round = 0; round < rounds; round++) {
        const missing = missingRows(events, kept);
        if (missing.size === 0) return;
        await Promise.all(
          Array.from(missing, ([rows, keys]) => {
            metrics.incrementIndexingCacheRequests(rows.stored.name, "prefetch", keys.length);
            return load(rows, "load", keys);
          }),
        );
      }
    },

    async delete(rows: KeptRows, given: Row): Promise<boolean> {
      const key = exactKey(rows.stored, given);
      const wasUnwritten = rows.delete(key);
      return (await deleteRow(connection(), rows.stored, key)) || wasUnwritten;
    },

    invalidate,
    clear,

    /** Another transaction for the same events means that the last one was not committed: what it wrote is not there. */
    set qb(next: QueryBuilder) {
      qb = next;
      if (!is(next, PgTransaction) || next === attempt) return;
      if (attempt !== undefined) {
        invalidate();
        clear();
      }
      attempt = next;
    },
    /** Ponder sets it for the messages of its own store. */
    set event(_: unknown) {},
  };
}
