import { once } from "node:events";
import type { Writable } from "node:stream";

/** Of a table's column, what it takes to write its values. */
type Column = { mapToDriverValue?(value: unknown): unknown };

type Row = Record<string, unknown>;

/** Rows whose text is made at a time. */
const rowsPerChunk = 500;

/** The characters that COPY reads otherwise than they are: https://www.postgresql.org/docs/current/sql-copy.html */
const special = /[\\\b\f\n\r\t\v]/;
const everySpecial = /[\\\b\f\n\r\t\v]/g;

/** The rows as text for COPY, some at a time. Columns come with their names, in the order of the table. */
export function* copyText(columns: [name: string, column: Column][], rows: Row[]): Generator<string> {
  for (let start = 0; start < rows.length; start += rowsPerChunk) {
    let text = "";
    for (const row of rows.slice(start, start + rowsPerChunk)) {
      let separator = "";
      for (const [name, column] of columns) {
        text += separator + valueText(column, row[name]);
        separator = "\t";
      }
      text += "\n";
    }
    yield text;
  }
}

function valueText(column: Column, given: unknown): string {
  if (given === null || given === undefined) return "\\N";
  const value = column.mapToDriverValue === undefined ? given : column.mapToDriverValue(given);
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return `${value}`;
  if (value === null || value === undefined) return "\\N";
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString("hex")}`;
  const text = String(value);
  return special.test(text) ? text.replace(everySpecial, "\\$&") : text;
}

/** Writes the chunks as fast as the stream takes them, and ends it. Rejects where the stream does. */
export async function writeAll(stream: Writable, chunks: Iterable<string>): Promise<void> {
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, "drain");
  }
  stream.end();
}
