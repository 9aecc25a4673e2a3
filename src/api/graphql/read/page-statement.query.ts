import { pageLimits } from "../limits.ts";
import type { ApiTable } from "../tables.ts";
import { columnList } from "./column-list.ts";
import { conditionsAtCursor, type Order } from "./cursor-conditions.ts";
import { Parameters, type Statement } from "./parameters.ts";
import { ofParents, type Parents } from "./parents.ts";
import { conditionsOf } from "./where.ts";

/** The arguments of a page, checked before. */
export type PageArguments = {
  where?: Record<string, unknown>;
  orderBy?: string;
  orderDirection?: string | null;
  before?: string | null;
  after?: string | null;
  limit?: number | null;
  offset?: number | null;
};

/** The page at a cursor: its values, and whether the page is before it. */
export type CursorArgument = { values: Record<string, unknown>; isBefore: boolean };

export type PageQuery = {
  table: ApiTable;
  args: PageArguments;
  cursor: CursorArgument | undefined;
  /** The columns to read. */
  columns: string[];
  /** The rows whose pages are read; undefined for the one page of a list at the top. */
  parents: Parents | undefined;
};

/** How Ponder orders: by the column asked for, then by the key. */
export function orderOf(table: ApiTable, { orderBy, orderDirection }: PageArguments): Order {
  const columns = [...new Set([...(orderBy === undefined ? [] : [orderBy]), ...table.key])];
  return { columns, direction: (orderDirection ?? "asc") === "asc" ? "asc" : "desc" };
}

/**
 * Reads a page of each parent, in the order of the parents. Rows of a page before a cursor come in reverse. One row more than the
 * page has shows whether there is another page; so does, at a cursor, its own row, which comes first.
 */
export function pageStatement(query: PageQuery): Statement {
  const { table, args, cursor, columns, parents } = query;
  const parameters = new Parameters();
  const order = readingOrder(query);
  const parent = ofParents(parents, table, parameters);
  const conditions = [...parent.conditions, ...conditionsOf(args.where, table, parameters)];
  const most = (args.limit ?? pageLimits.default) + (cursor === undefined ? 1 : 2);
  const part = (more?: string) =>
    [
      `select ${columnList(table, columns)} from ${table.sqlName}`,
      whereClause(more === undefined ? conditions : [...conditions, more]),
      orderClause(table, order),
      `limit ${most}`,
      args.offset ? `offset ${args.offset}` : "",
    ].join(" ");
  const place = cursor && { table, order, cursor: cursor.values, fixed: fixedValues(query) };
  const [first, second] = place === undefined ? [] : conditionsAtCursor(place, parameters);
  const page =
    second === undefined ? part(first) : `(${part(first)}) union all (${part(second)}) limit ${most}`;
  return { text: parent.forEach(page), values: parameters.values };
}

/** Counts the rows of the whole list of each parent. */
export function countStatement({ table, args, parents }: PageQuery): Statement {
  const parameters = new Parameters();
  const parent = ofParents(parents, table, parameters);
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

/** What all rows of the list have in common, by its conditions. */
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
