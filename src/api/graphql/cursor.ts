import { checkValue } from "./column-values.ts";
import { QueryRefusal } from "./refusal.ts";
import { type ApiColumn, type ApiTable, orderColumns } from "./tables.ts";

type CursorOptions = { table: ApiTable; orderBy: string | undefined; label: string };

/**
 * Refuses anything but a cursor of a page in this order. A cursor is base64 of superjson: the values of the columns that the page is
 * ordered by, and which of them are bigints.
 */
export function checkCursor(cursor: unknown, { table, orderBy, label }: CursorOptions): void {
  const order = orderColumns(table, orderBy);
  const values = decodeCursor(cursor);
  const isComplete =
    values !== undefined &&
    Object.keys(values).length === order.length &&
    order.every((name) => {
      const column = table.columns.get(name);
      return column !== undefined && Object.hasOwn(values, name) && isColumnValue(values[name], column);
    });
  if (!isComplete) {
    throw new QueryRefusal(
      "invalid_cursor",
      `${label} must be a cursor of the same list in the same order, exactly as in startCursor or endCursor of its pageInfo.`,
    );
  }
  for (const name of order) {
    const column = table.columns.get(name);
    if (column !== undefined) checkValue(values[name], column, label);
  }
}

/** Returns a cursor's values; undefined if it is malformed. */
export function decodeCursor(cursor: unknown): Record<string, unknown> | undefined {
  if (typeof cursor !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(cursor)) return undefined;
  try {
    const { json, meta = {}, ...more } = JSON.parse(Buffer.from(cursor, "base64").toString());
    if (Object.keys(more).length > 0 || typeof json !== "object" || json === null) return undefined;
    // Other types that superjson can revive don't occur in cursors.
    const { values: types = {}, v: _, ...others } = meta;
    if (Object.keys(others).length > 0) return undefined;
    for (const [name, type] of Object.entries(types)) {
      if (!Object.hasOwn(json, name) || JSON.stringify(type) !== '["bigint"]') return undefined;
      json[name] = BigInt(json[name]);
    }
    return json;
  } catch {
    return undefined;
  }
}

/** Encodes a row's cursor as Ponder does. */
export function encodeCursor(row: Record<string, unknown>, order: string[], table: ApiTable): string {
  const json: Record<string, unknown> = {};
  const values: Record<string, ["bigint"]> = {};
  for (const name of order) {
    const value = row[name];
    const kind = table.columns.get(name)?.kind;
    json[name] = value;
    if ((kind === "int8" || kind === "numeric") && value !== null) values[name] = ["bigint"];
  }
  const hasTypes = Object.keys(values).length > 0;
  const cursor = hasTypes ? { json, meta: { values, v: 1 } } : { json };
  return Buffer.from(JSON.stringify(cursor)).toString("base64");
}

/** Whether the cursor was made from this row. */
export function isAtCursor(
  row: Record<string, unknown>,
  order: string[],
  cursor: Record<string, unknown>,
): boolean {
  return order.every((name) => String(row[name]) === String(cursor[name]));
}

function isColumnValue(value: unknown, { kind, nullable }: ApiColumn): boolean {
  if (value === null) return nullable;
  if (kind === "int8" || kind === "numeric") return typeof value === "bigint";
  if (kind === "int") return Number.isInteger(value);
  if (kind === "float") return typeof value === "number";
  if (kind === "boolean") return typeof value === "boolean";
  return typeof value === "string";
}
