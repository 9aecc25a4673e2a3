import { once } from "node:events";
import type { Writable } from "node:stream";
import pg from "pg";
import copy from "pg-copy-streams";
import { createNews, ignore } from "../../../config/async.ts";
import type { CachedRow, CachedRows } from "./cached-rows.ts";
import type { QueryBuilder, Row } from "./ponder-types.ts";
import { columnArrays, joinByKey, listOf, unnestSql } from "./read-rows.ts";
import type { StoredColumn, StoredTable } from "./table-columns.ts";

/** The most rows to send as arrays in one statement. For more, COPY is faster, although it takes further statements. */
const maxUnnestRows = 2_000;

/** Writes a table's inserted and updated rows. */
export async function writeRows(qb: QueryBuilder, { stored, inserts, updates }: CachedRows): Promise<void> {
  if (inserts.length > 0) await insertRows(qb, stored, inserts.map(rowOf));
  if (updates.length > 0) await updateRows(qb, stored, updates.map(rowOf));
}

const rowOf = ({ row }: CachedRow): Row => row as Row;

async function insertRows(qb: QueryBuilder, stored: StoredTable, rows: Row[]): Promise<void> {
  const { sqlName: table, columns } = stored;
  if (rows.length > maxUnnestRows) return await copyRows(qb, table, columns, rows);
  const insert = `insert into ${table} (${listOf(columns)}) select * from ${unnestSql(columns)}`;
  await run(qb, insert, columnArrays(columns, rows));
}

async function updateRows(qb: QueryBuilder, stored: StoredTable, rows: Row[]): Promise<void> {
  const { name, sqlName: table, columns, keys } = stored;
  // A row that consists of its key only has nothing to update.
  if (columns.length === keys.length) return;
  if (rows.length <= maxUnnestRows) {
    const updated = await run(qb, update(stored, unnestSql(columns)), columnArrays(columns, rows));
    return requireAll(stored, rows, updated);
  }
  const changed = pg.escapeIdentifier(`changed_${name}`);
  await run(
    qb,
    `create temp table if not exists ${changed} as select ${listOf(columns)} from ${table} with no data`,
  );
  await copyRows(qb, changed, columns, rows);
  requireAll(stored, rows, await run(qb, update(stored, changed)));
  await run(qb, `truncate ${changed}`);
}

/** Throws if not all rows were in the table: then the cache is wrong, and the transaction has to be repeated without it. */
function requireAll({ name }: StoredTable, { length }: Row[], updated: number): void {
  if (updated === length) return;
  throw new Error(`Invariant(store): of ${length} cached rows of ${name}, only ${updated} are in the table`);
}

/** Returns SQL that sets all columns of the rows to those of the source. */
function update(stored: StoredTable, source: string): string {
  const { sqlName: table, columns } = stored;
  const values = columns.filter(({ isKey }) => !isKey).map(({ sqlName }) => `${sqlName} = source.${sqlName}`);
  const givenRows = `${source} as given (${listOf(columns)})`;
  return `update ${table} as target set ${values.join(", ")}
    from (select found.ctid as place, given.* from ${givenRows} ${joinByKey(stored, "given")}) source
    where target.ctid = source.place`;
}

/** Runs a statement. Resolves to how many rows it changed. */
async function run(qb: QueryBuilder, text: string, values: unknown[] = []): Promise<number> {
  const { rowCount } = await qb.wrap({ label: "write_rows" }, () => qb.$client.query({ text, values }));
  return rowCount ?? 0;
}

async function copyRows(
  qb: QueryBuilder,
  table: string,
  columns: StoredColumn[],
  rows: Row[],
): Promise<void> {
  await qb.wrap({ label: "copy_rows" }, async () => {
    const text = `copy ${table} (${listOf(columns)}) from stdin`;
    const stream = qb.$client.query(copy.from(text));
    await new Promise<void>((resolve, reject) => {
      stream.on("finish", resolve);
      stream.on("error", reject);
      writeAll(stream, copyText(columns, rows)).catch(reject);
    });
  });
}

/** The part of a table's column that writing its values takes. */
type Column = { name: string; column: { mapToDriverValue(value: unknown): unknown } };

/** Rows per chunk of text. */
const rowsPerChunk = 500;

/** How COPY wants the characters that it doesn't take literally: https://www.postgresql.org/docs/current/sql-copy.html */
const escapes = new Map([
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);
const special = /[\\\b\f\n\r\t\v]/;
const everySpecial = /[\\\b\f\n\r\t\v]/g;

/** Formats rows as text for COPY, in chunks, so that Postgres reads one while the next is being formatted. */
export function* copyText(columns: Column[], rows: Row[]): Generator<string> {
  for (let start = 0; start < rows.length; start += rowsPerChunk) {
    let text = "";
    for (const row of rows.slice(start, start + rowsPerChunk)) {
      let separator = "";
      for (const { name, column } of columns) {
        text += separator + valueText(row[name], column);
        separator = "\t";
      }
      text += "\n";
    }
    yield text;
  }
}

function valueText(value: unknown, column: Column["column"]): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return `${value}`;
  const written = typeof value === "string" ? value : column.mapToDriverValue(value);
  if (Buffer.isBuffer(written)) return `\\\\x${written.toString("hex")}`;
  const text = String(written);
  return special.test(text)
    ? text.replace(everySpecial, (character) => escapes.get(character) ?? character)
    : text;
}

/** Writes the chunks as fast as the stream accepts them, and ends it. Rejects if the stream fails. */
export async function writeAll(stream: Writable, chunks: Iterable<string>): Promise<void> {
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, "drain");
  }
  stream.end();
}

const flush = createNews();

/** Signals that the store is starting to write what the last events changed. */
export const signalFlush = flush.notify;

/**
 * Merges generators, yielding results as they arrive. A generator's next events are only read and decoded once Postgres is writing
 * what its last ones changed: earlier, they would compete with those for time and memory.
 */
export async function* mergeOnFlush<T>(generators: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = new Map(generators.map((generator) => [generator, nextResult(generator)]));
  while (next.size > 0) {
    const { generator, result } = await Promise.race(next.values());
    if (result.done) {
      next.delete(generator);
      continue;
    }
    // Moves the generator to the end of the line.
    next.delete(generator);
    const coming = flush.next().then(() => nextResult(generator));
    // A result may fail before anybody awaits it; whoever does gets the error.
    coming.catch(ignore);
    next.set(generator, coming);
    yield result.value;
  }
}

async function nextResult<T>(generator: AsyncGenerator<T>) {
  return { generator, result: await generator.next() };
}
