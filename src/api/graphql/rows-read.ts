import { addTo, emptyFilter, type Filter } from "./filter.ts";
import { pageLimits } from "./limits.ts";
import type { TableStatistics } from "./table-statistics.query.ts";
import type { ApiTable } from "./tables.ts";

/** What a page asks of a table. */
export type Question = {
  table: ApiTable;
  filter: Filter;
  orderBy: string | undefined;
  limit: number;
  /** Whether the page begins at a cursor. */
  cursor: boolean;
};

/**
 * About how many rows Postgres has to read at most, beside those that it returns: none where an index has the rows of
 * the filter in the order; where it doesn't, all rows that the best index leaves, up to the whole table.
 */
export function rowsRead(question: Question, statistics: TableStatistics): number {
  const { table, filter, limit } = question;
  const paths = table.indexes
    .map((index) => pathBy(index, question, statistics))
    .concat(hashPaths(question, statistics));
  const best = Math.min(...paths.map(({ read }) => read));
  const matching = Math.min(best, rowsMatching(table, filter, statistics));
  if (matching === 0 || paths.some((path) => path.ordered && path.read === matching)) return matching;

  // The rows have to be sorted. Where they are many, the planner may rather follow an index that has the order, hoping
  // that matches come soon, and read all of that.
  const tempting = paths.filter(
    ({ ordered, rows }) =>
      ordered && Math.max(limit, pageLimits.default) * rows < sortedRowCost * matching * matching,
  );
  return Math.max(matching, ...tempting.map(({ rows }) => rows));
}

/** How much dearer the planner may hold a row found for sorting than one read in order. */
const sortedRowCost = 100;

/** About how many rows the filter's best index leaves: what a count reads. */
export function rowsMatching(table: ApiTable, filter: Filter, statistics: TableStatistics): number {
  const byIndex = table.indexes.map((index) => rowsWith(table, filter, prefixOf(index, filter), statistics));
  const byBranches = filter.anyOf.map((branches) => {
    let sum = 0;
    for (const branch of branches) {
      const both: Filter = { ...emptyFilter(), equal: new Map(filter.equal) };
      addTo(both, branch);
      sum += rowsMatching(table, both, statistics);
    }
    return sum;
  });
  const byHash = hashed(table, filter).map((column) => rowsWith(table, filter, [column], statistics));
  return Math.min(sizeOf(table, statistics), ...byIndex, ...byHash, ...byBranches);
}

export function sizeOf({ sqlTables }: ApiTable, statistics: TableStatistics): number {
  return sqlTables.reduce((sum, table) => sum + statistics.size(table), 0);
}

/** As Ponder orders: by the column asked for, then by the key. */
function orderOf({ table, orderBy }: Question): string[] {
  return orderBy === undefined ? table.key : [orderBy, ...table.key.filter((column) => column !== orderBy)];
}

type Path = {
  /** How many rows are read beside those returned. */
  read: number;
  /** How many rows the index leaves. */
  rows: number;
  /** Whether they come in the order asked for, or nearly so. */
  ordered: boolean;
};

/** Rows with one value, in no order. */
function hashPaths({ table, filter }: Question, statistics: TableStatistics): Path[] {
  return hashed(table, filter).map((column) => {
    const rows = rowsWith(table, filter, [column], statistics);
    return { read: rows, rows, ordered: false };
  });
}

/** The columns with an index of hashes that the filter gives values for. */
function hashed(table: ApiTable, { equal }: Filter): string[] {
  return table.hashed.filter((column) => equal.has(column));
}

function pathBy(index: string[], question: Question, statistics: TableStatistics): Path {
  const { table, filter, cursor } = question;
  const prefix = prefixOf(index, filter);
  const rows = rowsWith(table, filter, prefix, statistics);
  // A join may be made by reading all that the index leaves, also for a few rows.
  if (!table.ordered) return { read: rows, rows, ordered: false };
  // A column with a single value orders nothing.
  const isOpen = (column: string) => filter.equal.get(column)?.length !== 1;
  const fullOrder = orderOf(question);
  const order = fullOrder.filter(isOpen);
  const followed = commonLength(order, index.filter(isOpen));
  const ordered = followed > 0 || order.length === 0;
  if (!ordered) return { read: rows, rows, ordered };

  // Rows that are equal in what the index has of the order are read together to be sorted; so are, to find a cursor,
  // those that are equal in the columns with which the index can begin at it.
  const group = (columns: string[]) =>
    Math.min(rows, rowsWith(table, filter, [...prefix, ...columns], statistics));
  const toSort = followed === order.length ? 0 : group(order.slice(0, followed));
  const start = Math.max(...[...prefix, ""].map((_, at) => commonLength(fullOrder, index.slice(at))));
  const toBegin = !cursor || start === fullOrder.length ? 0 : group(fullOrder.slice(0, start));
  const leftOut = rowsLeftOut(index, prefix, question, statistics);
  return { read: Math.min(rows, toSort + toBegin + leftOut), rows, ordered };
}

/** How many rows of the index at most don't fulfil the filter. */
function rowsLeftOut(
  index: string[],
  prefix: string[],
  question: Question,
  statistics: TableStatistics,
): number {
  const { table, filter } = question;
  const next = index[prefix.length];
  const isKnown =
    !filter.rest && filter.anyOf.length === 0 && [...filter.ranges].every((column) => column === next);
  if (!isKnown) return Number.POSITIVE_INFINITY;
  const size = sizeOf(table, statistics);
  let rows = 0;
  for (const [column, values] of filter.equal) {
    if (prefix.includes(column)) continue;
    // Of one chain, say, that all rows are of.
    const sqlName = table.columns.get(column)?.sqlName ?? column;
    const shares = values.map((value) => statistics.commonShare(table.sqlTables[0], sqlName, value));
    rows += size * Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
  }
  return rows;
}

/** The columns with which the index begins and that the filter gives values for. */
function prefixOf(index: string[], { equal }: Filter): string[] {
  const end = index.findIndex((column) => !equal.has(column));
  return end === -1 ? index : index.slice(0, end);
}

/** The planner's guess where nothing is known of a column: 200 values. */
const unknownShare = 1 / 200;

/** About how many rows at most have the filter's values in the columns; where it has none, any single value. */
function rowsWith(table: ApiTable, filter: Filter, columns: string[], statistics: TableStatistics): number {
  const size = sizeOf(table, statistics);
  const shareOf = (column: string, value?: string) =>
    statistics.share(table.sqlTables[0], table.columns.get(column)?.sqlName ?? column, value);
  const shares = columns.map((column) => {
    const values = filter.equal.get(column);
    if (values === undefined) return shareOf(column) ?? unknownShare;
    return values.reduce((sum, value) => sum + (shareOf(column, value) ?? 1), 0);
  });
  const rows = size * Math.min(1, ...shares);
  if (table.key.length === 0 || !table.key.every((column) => columns.includes(column))) return rows;
  return Math.min(
    rows,
    table.key.reduce((count, column) => count * (filter.equal.get(column)?.length ?? 1), 1),
  );
}

function commonLength(one: string[], other: string[]): number {
  const end = one.findIndex((column, place) => other[place] !== column);
  return end === -1 ? one.length : end;
}
