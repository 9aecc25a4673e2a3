import { once } from "node:events";
import type { Writable } from "node:stream";
import type { Row } from "./ponder-types.ts";

/** The part of a table's column that writing its values takes. */
type Column = { name: string; column: { mapToDriverValue(value: unknown): unknown } };

/** Rows per chunk of text. */
const rowsPerChunk = 500;

/** The characters that COPY doesn't take literally: https://www.postgresql.org/docs/current/sql-copy.html */
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
  return special.test(text) ? text.replace(everySpecial, "\\$&") : text;
}

/** Writes the chunks as fast as the stream accepts them, and ends it. Rejects if the stream fails. */
export async function writeAll(stream: Writable, chunks: Iterable<string>): Promise<void> {
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, "drain");
  }
  stream.end();
}
