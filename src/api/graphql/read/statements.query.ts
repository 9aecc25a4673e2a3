import { splitEventId } from "../../market/event-id.ts";
import { listOf, parseConditionName } from "../filter.ts";
import { pageLimits } from "../limits.ts";
import { type ApiColumn, type ApiTable, orderColumns } from "../tables.ts";
import { columnList, Parameters, type Statement } from "./column-list.ts";
import { pinStatement, type Source, sourcesOf } from "./pinned.query.ts";
import type { Pin } from "./read-rows.ts";

/** The arguments of a page, which have been checked. */
export type PageArguments = {
  where?: Record<string, unknown>;
  orderBy?: string;
  orderDirection?: string | null;
  before?: string | null;
  after?: string | null;
  limit?: number | null;
  offset?: number | null;
  block?: { number: number } | null;
};

/** A page's cursor: its values, and whether the page ends before it rather than begins after it. */
export type CursorArgument = { values: Record<string, unknown>; isBefore: boolean };

export type PageQuery = {
  table: ApiTable;
  args: PageArguments;
  cursor: CursorArgument | undefined;
  columns: string[];
  /** The rows whose pages are read; undefined for the single page of a top-level list. */
  parents: Parents | undefined;
  /** The block after which the rows are read; undefined for what they are now. */
  pin: Pin | undefined;
};

/** The order of a list, ascending by default. */
export function orderOf(table: ApiTable, { orderBy, orderDirection }: PageArguments): Order {
  const columns = orderColumns(table, orderBy);
  return { columns, direction: (orderDirection ?? "asc") === "asc" ? "asc" : "desc" };
}

/**
 * Reads a page for each parent, in the order of the parents. The rows of a page before a cursor come in reverse. One extra row shows
 * whether there is another page; at a cursor, its own row comes first and does the same for the other side.
 */
export function pageStatement(query: PageQuery): Statement {
  const { table, args, cursor, columns, parents, pin } = query;
  const parameters = new Parameters();
  const sources = sourcesOf(table, pin, parameters);
  const order = readingOrder(query);
  const parent = joinParents(parents, table, parameters);
  const conditions = [...parent.conditions, ...conditionsOf(args.where, table, parameters)];
  const maxRows = (args.limit ?? pageLimits.default) + (cursor === undefined ? 1 : 2);
  const selectRows = (more?: string) =>
    selectFrom(sources, {
      table,
      columns,
      conditions: more === undefined ? conditions : [...conditions, more],
      order,
      limit: maxRows,
      offset: args.offset ?? 0,
    });
  const cursorOptions = cursor && { table, order, cursor: cursor.values, fixed: fixedValues(query) };
  const [first, second] = cursorOptions === undefined ? [] : cursorConditions(cursorOptions, parameters);
  const page =
    second === undefined
      ? selectRows(first)
      : `(${selectRows(first)}) union all (${selectRows(second)}) limit ${maxRows}`;
  return pinStatement(table, pin, parent.forEach(page), parameters);
}

type Selected = {
  table: ApiTable;
  columns: string[];
  conditions: string[];
  order: Order;
  limit: number;
  offset: number;
};

/** Selects rows in order. Of several sources, each has its own index and limit, so that none is read as a whole. */
function selectFrom(
  sources: Source[],
  { table, columns, conditions, order, limit, offset }: Selected,
): string {
  const page = `limit ${limit} ${offset > 0 ? `offset ${offset}` : ""}`;
  const select = ({ from, conditions: own }: Source, list: string) =>
    `select ${list} from ${from} ${whereClause([...conditions, ...own])} ${orderClause(table, order)}`;
  const [source, another] = sources;
  if (source !== undefined && another === undefined) {
    return `${select(source, columnList(table, columns))} ${page}`;
  }
  const needed = [...new Set([...columns, ...order.columns])].map((name) => sqlName(table, name)).join(", ");
  const parts = sources.map((part) => `(${select(part, needed || "null")} limit ${limit + offset})`);
  return `select ${columnList(table, columns)} from (${parts.join(" union all ")}) as versions ${orderClause(table, order)} ${page}`;
}

/** Counts the rows of each parent's whole list. */
export function countStatement({ table, args, parents, pin }: PageQuery): Statement {
  const parameters = new Parameters();
  const sources = sourcesOf(table, pin, parameters);
  const parent = joinParents(parents, table, parameters);
  const conditions = [...parent.conditions, ...conditionsOf(args.where, table, parameters)];
  const counts = sources.map(
    ({ from, conditions: own }) => `(select count(*) from ${from} ${whereClause([...conditions, ...own])})`,
  );
  return pinStatement(table, pin, parent.forEach(`select ${counts.join(" + ")}`), parameters);
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

export function rowStatement(table: ApiTable, columns: string[], keys: Parents, pin?: Pin): Statement {
  const parameters = new Parameters();
  const sources = sourcesOf(table, pin, parameters);
  const { conditions, forEach } = joinParents(keys, table, parameters);
  const order: Order = { columns: [], direction: "asc" };
  const row = selectFrom(sources, { table, columns, conditions, order, limit: 1, offset: 0 });
  return pinStatement(table, pin, forEach(row), parameters);
}

/** A list's order: the columns, all in one direction. May be empty for a view, which has no key. */
type Order = { columns: string[]; direction: "asc" | "desc" };

type CursorOptions = {
  table: ApiTable;
  order: Order;
  /** The values of the order's columns. */
  cursor: Record<string, unknown>;
  /** Columns known to have one value in all rows of the list, with that value. */
  fixed: Map<string, unknown>;
};

/**
 * Returns the condition for the rows at and after the cursor in the order's direction, or two conditions, whose rows follow each
 * other.
 *
 * Postgres sorts nulls after all values, and comparisons with null are never true. Rows with a null are therefore a second part, and
 * each part is read in order from the index; a single condition for both would read all rows before the cursor. Columns with one
 * value in the whole list are left out, so that an index can seek to the cursor.
 */
function cursorConditions(
  { table, order, cursor, fixed }: CursorOptions,
  parameters: Parameters,
): [string] | [string, string] {
  const isAscending = order.direction === "asc";
  const varying = order.columns.filter((name) => !isFixed(name, cursor[name], fixed));
  const nameOf = (name: string) => `"${table.columns.get(name)?.sqlName}"`;
  const from = (names: string[]) => {
    if (names.length === 0) return "true";
    const values = names.map((name) => parameters.add(table.columns.get(name)?.encode(cursor[name])));
    return `(${names.map(nameOf).join(", ")}) ${isAscending ? ">=" : "<="} (${values.join(", ")})`;
  };
  const [first, ...others] = varying;
  if (first === undefined || table.columns.get(first)?.nullable !== true) return [from(varying)];
  if (cursor[first] === null) {
    const rest = `(${nameOf(first)} is null and ${from(others)})`;
    return isAscending ? [rest] : [rest, `${nameOf(first)} is not null`];
  }
  return isAscending ? [from(varying), `${nameOf(first)} is null`] : [from(varying)];
}

function isFixed(name: string, value: unknown, fixed: Map<string, unknown>): boolean {
  return fixed.has(name) && value !== null && String(fixed.get(name)) === String(value);
}

/** Rows with related rows: the columns of the related table to match, and each parent's values for them. */
type Parents = { columns: string[]; keys: unknown[][] };

/** How a statement is run for each parent. */
type ParentJoin = {
  /** Conditions by which a row belongs to its parent. */
  conditions: string[];
  /** Wraps the statement to run for each parent: its rows then start with the parent's number, counting from 1. */
  forEach: (statement: string) => string;
};

function joinParents(parents: Parents | undefined, table: ApiTable, parameters: Parameters): ParentJoin {
  if (parents === undefined) return { conditions: [], forEach: (statement) => statement };
  const { columns, keys } = parents;
  const [key, another] = keys;
  if (key !== undefined && another === undefined) {
    return {
      conditions: columns.map((name, at) => `${sqlName(table, name)} = ${parameters.add(key[at])}`),
      forEach: (statement) => `select 1, found.* from (${statement}) as found`,
    };
  }
  const arrays = columns.map((name, at) => {
    const values = parameters.add(keys.map((key) => key[at]));
    return `${values}::${table.columns.get(name)?.sqlType}[]`;
  });
  const names = [...columns.map((_, at) => keyName(at)), "number"].join(", ");
  return {
    conditions: columns.map((name, at) => `${sqlName(table, name)} = parent.${keyName(at)}`),
    forEach: (statement) =>
      `select parent.number, found.* from unnest(${arrays.join(", ")}) with ordinality as parent (${names}) cross join lateral (${statement}) as found`,
  };
}

const keyName = (at: number) => `key_${at + 1}`;
const sqlName = (table: ApiTable, name: string) => `"${table.columns.get(name)?.sqlName}"`;

/** Returns the conditions of a `where`, all of which must hold. It must have been checked. */
export function conditionsOf(where: unknown, table: ApiTable, parameters: Parameters): string[] {
  const conditions: string[] = [];
  for (const [name, value] of Object.entries(where ?? {})) {
    if (name === "AND" || name === "OR") {
      // As in Ponder, several conditions in one object of an OR are separate branches.
      const parts = listOf(value).flatMap((part) => conditionsOf(part, table, parameters));
      if (parts.length > 0) conditions.push(`(${parts.join(name === "AND" ? " and " : " or ")})`);
      continue;
    }
    const condition = parseConditionName(name, table);
    if (condition === undefined) throw new Error(`Invariant(${table.name}.${name}): no such condition`);
    const { column, operator } = condition;
    conditions.push(
      column.kind === "eventId" && value !== null
        ? eventIdCondition({ table, column, operator, value }, parameters)
        : columnCondition(column, operator, value, parameters),
    );
  }
  return conditions;
}

type EventIdCondition = { table: ApiTable; column: ApiColumn; operator: string; value: unknown };

/** A condition on ids of events that begin with the chain, or lack it as in earlier versions: then of any chain. */
function eventIdCondition(
  { table, column, operator, value }: EventIdCondition,
  parameters: Parameters,
): string {
  const [chain, id] = [sqlName(table, "chainId"), `"${column.sqlName}"`];
  if (/_(contains|starts_with|ends_with)/.test(operator)) {
    return likeCondition(`(${chain} || '-' || ${id})`, operator, value, parameters);
  }
  const byChain = Map.groupBy(
    listOf(value).flatMap((one) => splitEventId(String(one)) ?? []),
    ({ chainId }) => chainId,
  );
  const equals = [...byChain].map(([chainId, ids]) => {
    const ofChain = chainId === undefined ? "" : `${chain} = ${parameters.add(chainId)} and `;
    return `(${ofChain}${id} in (${ids.map((one) => parameters.add(one.id)).join(", ")}))`;
  });
  const isOne = equals.length === 0 ? "false" : `(${equals.join(" or ")})`;
  if (!operator.startsWith("_not")) return isOne;
  // A null, which equals nothing, differs from nothing either.
  return column.nullable ? `(not ${isOne} and ${id} is not null)` : `not ${isOne}`;
}

const comparisons: Record<string, string> = { _gt: ">", _gte: ">=", _lt: "<", _lte: "<=" };

function columnCondition(
  column: ApiColumn,
  operator: string,
  value: unknown,
  parameters: Parameters,
): string {
  const name = `"${column.sqlName}"`;
  const parameter = (one: unknown) => parameters.add(column.encode(one));
  if (operator === "" || operator === "_not") {
    if (value === null) return `${name} is ${operator === "" ? "null" : "not null"}`;
    return `${name} ${operator === "" ? "=" : "<>"} ${parameter(value)}`;
  }
  if (operator === "_in" || operator === "_not_in") {
    const isIn = operator === "_in";
    const list = listOf(value);
    if (list.length === 0) return isIn ? "false" : "true";
    return `${name} ${isIn ? "in" : "not in"} (${list.map(parameter).join(", ")})`;
  }
  const comparison = comparisons[operator];
  if (comparison !== undefined) return `${name} ${comparison} ${parameter(value)}`;
  return likeCondition(name, operator, value, parameters);
}

function likeCondition(text: string, operator: string, value: unknown, parameters: Parameters): string {
  const like = operator.endsWith("_nocase") ? "ilike" : "like";
  const prefix = operator.includes("starts_with") ? "" : "%";
  const after = operator.includes("ends_with") ? "" : "%";
  const not = operator.startsWith("_not_") ? "not " : "";
  return `${text} ${not}${like} ${parameters.add(`${prefix}${value}${after}`)}`;
}
