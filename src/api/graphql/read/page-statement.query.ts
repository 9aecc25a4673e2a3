import { pageLimits } from "../limits.ts";
import type { ApiTable } from "../tables.ts";
import { columnList } from "./column-list.ts";
import { cursorConditions, type Order } from "./cursor-conditions.ts";
import { Parameters, type Statement } from "./parameters.ts";
import { joinParents, type Parents } from "./parents.ts";
import { conditionsOf } from "./where.ts";

/** The arguments of a page, which have been checked. */
export type PageArguments = {
  where?: Record<string, unknown>;
  orderBy?: string;
  orderDirection?: string | null;
  before?: string | null;
  after?: string | null;
  limit?: number | null;
  offset?: number | null;
};

/** A page's cursor: its values, and whether the page ends before it rather than begins after it. */
export type CursorArgument = { values: Record<string, unknown>; isBefore: boolean };

export type PageQuery = {
  table: ApiTable;
  args: PageArguments;
  cursor: CursorArgument | undefined;
  /** The columns to read. */
  columns: string[];
  /** The rows whose pages are read; undefined for the single page of a top-level list. */
  parents: Parents | undefined;
};

/** The order that Ponder uses: by the requested column, then by the key. */
export function orderOf(table: ApiTable, { orderBy, orderDirection }: PageArguments): Order {
  const columns = [...new Set([...(orderBy === undefined ? [] : [orderBy]), ...table.key])];
  return { columns, direction: (orderDirection ?? "asc") === "asc" ? "asc" : "desc" };
}

/**
 * Reads a page for each parent, in the order of the parents. The rows of a page before a cursor come in reverse. One extra row shows
 * whether there is another page; at a cursor, its own row comes first and does the same for the other side.
 */
export function pageStatement(query: PageQuery): Statement {
  const { table, args, cursor, columns, parents } = query;
  const parameters = new Parameters();
  const order = readingOrder(query);
  const parent = joinParents(parents, table, parameters);
  const conditions = [...parent.conditions, ...conditionsOf(args.where, table, parameters)];
  const maxRows = (args.limit ?? pageLimits.default) + (cursor === undefined ? 1 : 2);
  const selectRows = (more?: string) =>
    [
      `select ${columnList(table, columns)} from ${table.sqlName}`,
      whereClause(more === undefined ? conditions : [...conditions, more]),
      orderClause(table, order),
      `limit ${maxRows}`,
      args.offset ? `offset ${args.offset}` : "",
    ].join(" ");
  const cursorOptions = cursor && { table, order, cursor: cursor.values, fixed: fixedValues(query) };
  const [first, second] = cursorOptions === undefined ? [] : cursorConditions(cursorOptions, parameters);
  const page =
    second === undefined
      ? selectRows(first)
      : `(${selectRows(first)}) union all (${selectRows(second)}) limit ${maxRows}`;
  return { text: parent.forEach(page), values: parameters.values };
}

/** Counts the rows of each parent's whole list. */
export function countStatement({ table, args, parents }: PageQuery): Statement {
  const parameters = new Parameters();
  const parent = joinParents(parents, table, parameters);
  const conditions = [...parent.conditions, ...conditionsOf(args.where, table, parameters)];
  return {
    text: parent.forEach(`select count(*) from ${table.sqlName} ${whereClause(conditions)}`),
    values: parameters.values,
  };
}

function readingOrder({ table, args, cursor }: PageQuery): Order {
  const order = orderOf(table, args);
  if (!cursor?.isBefore) return order;
  return { ...order, direction: order.direction === "asc" ? "desc" : "asc" };
}

/** Returns the columns that the conditions fix to one value for the whole list. */
function fixedValues({ table, args, parents }: PageQuery): Map<string, unknown> {
  const fixed = new Map<string, unknown>();
  for (const [name, value] of Object.entries(args.where ?? {})) {
    const column = table.columns.get(name);
    if (column !== undefined && value !== null) fixed.set(name, column.encode(value));
  }
  for (const [at, name] of (parents?.columns ?? []).entries()) {
    const values = new Set(parents?.keys.map((key) => key[at]));
    if (values.size === 1) fixed.set(name, parents?.keys[0]?.[at]);
  }
  return fixed;
}

const whereClause = (conditions: string[]) =>
  conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;

function orderClause(table: ApiTable, { columns, direction }: Order): string {
  if (columns.length === 0) return "";
  return `order by ${columns.map((name) => `"${table.columns.get(name)?.sqlName}" ${direction}`).join(", ")}`;
}
