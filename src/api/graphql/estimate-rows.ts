import { ignore, shareRun } from "../../../config/async.ts";
import { emptyFilter, type Filter, mergeInto } from "./filter.ts";
import { pageLimits } from "./limits.ts";
import type { TableStatistics } from "./table-statistics.query.ts";
import { type ApiTable, orderColumns } from "./tables.ts";

/** A page, as far as it determines which rows are read. */
export type PageRead = {
  table: ApiTable;
  filter: Filter;
  orderBy: string | undefined;
  limit: number;
  /** Whether the page begins or ends at a cursor. */
  hasCursor: boolean;
};

/**
 * Estimates how many rows Postgres reads at most, besides those that it returns: none if an index has the filter's rows in the
 * order; otherwise all rows that the best index leaves, up to the whole table.
 */
export function estimateRowsRead(page: PageRead, statistics: TableStatistics): number {
  const { table, filter, limit } = page;
  const paths = table.indexes
    .map((index) => indexPath(index, page, statistics))
    .concat(hashPaths(page, statistics));
  const best = Math.min(...paths.map(({ read }) => read));
  const matching = Math.min(best, estimateMatchingRows(table, filter, statistics));
  if (matching === 0 || paths.some((path) => path.ordered && path.read === matching)) return matching;

  // The rows have to be sorted. If there are many, the planner may prefer an index in the right order, in the hope of finding
  // matches soon, and end up reading all of it.
  const tempting = paths.filter(
    ({ ordered, rows }) =>
      ordered && Math.max(limit, pageLimits.default) * rows < sortedRowCost * matching * matching,
  );
  return Math.max(matching, ...tempting.map(({ rows }) => rows));
}

/** How much more the planner may estimate for a row that is fetched and sorted than for one read in order. */
const sortedRowCost = 100;

/** Estimates how many rows the filter's best index leaves, which is what a count reads. */
export function estimateMatchingRows(table: ApiTable, filter: Filter, statistics: TableStatistics): number {
  const byIndex = table.indexes.map((index) =>
    estimateRowsWith(table, filter, prefixOf(index, filter), statistics),
  );
  const byBranches = filter.anyOf.map((branches) => {
    let sum = 0;
    for (const branch of branches) {
      const both: Filter = { ...emptyFilter(), equal: new Map(filter.equal) };
      mergeInto(both, branch);
      sum += estimateMatchingRows(table, both, statistics);
    }
    return sum;
  });
  const byHash = hashIndexedColumns(table, filter).map((column) =>
    estimateRowsWith(table, filter, [column], statistics),
  );
  return Math.min(tableSize(table, statistics), ...byIndex, ...byHash, ...byBranches);
}

export function tableSize({ sqlTables }: ApiTable, statistics: TableStatistics): number {
  return sqlTables.reduce((sum, table) => sum + statistics.size(table), 0);
}

type Path = {
  /** Rows read besides those returned. */
  read: number;
  /** Rows that the index leaves. */
  rows: number;
  /** Whether they come in the requested order, or nearly so. */
  ordered: boolean;
};

/** A hash index finds the rows with a value, in no order. */
function hashPaths({ table, filter }: PageRead, statistics: TableStatistics): Path[] {
  return hashIndexedColumns(table, filter).map((column) => {
    const rows = estimateRowsWith(table, filter, [column], statistics);
    return { read: rows, rows, ordered: false };
  });
}

/** Returns the columns with a hash index for which the filter has values. */
function hashIndexedColumns(table: ApiTable, { equal }: Filter): string[] {
  return table.hashed.filter((column) => equal.has(column));
}

function indexPath(index: string[], page: PageRead, statistics: TableStatistics): Path {
  const { table, filter, hasCursor } = page;
  const prefix = prefixOf(index, filter);
  const rows = estimateRowsWith(table, filter, prefix, statistics);
  // A join may read everything that the index leaves, even to return a few rows.
  if (!table.ordered) return { read: rows, rows, ordered: false };
  // A column with a single value orders nothing.
  const isOpen = (column: string) => filter.equal.get(column)?.length !== 1;
  const fullOrder = orderColumns(table, page.orderBy);
  const order = fullOrder.filter(isOpen);
  const followed = commonPrefixLength(order, index.filter(isOpen));
  const ordered = followed > 0 || order.length === 0;
  if (!ordered) return { read: rows, rows, ordered };

  // Rows that tie in the part of the order that the index covers are read together and sorted. Likewise, to find a cursor, rows
  // that tie in the columns by which the index can seek to it.
  const group = (columns: string[]) =>
    Math.min(rows, estimateRowsWith(table, filter, [...prefix, ...columns], statistics));
  const toSort = followed === order.length ? 0 : group(order.slice(0, followed));
  const start = Math.max(...[...prefix, ""].map((_, at) => commonPrefixLength(fullOrder, index.slice(at))));
  const toBegin = !hasCursor || start === fullOrder.length ? 0 : group(fullOrder.slice(0, start));
  const leftOut = estimateExcludedRows(index, prefix, page, statistics);
  return { read: Math.min(rows, toSort + toBegin + leftOut), rows, ordered };
}

/** Estimates how many of the index's rows, at most, don't match the filter. */
function estimateExcludedRows(
  index: string[],
  prefix: string[],
  page: PageRead,
  statistics: TableStatistics,
): number {
  const { table, filter } = page;
  const next = index[prefix.length];
  const isKnown =
    !filter.hasUnindexed &&
    filter.anyOf.length === 0 &&
    [...filter.ranges].every((column) => column === next);
  if (!isKnown) return Number.POSITIVE_INFINITY;
  const size = tableSize(table, statistics);
  let rows = 0;
  for (const [column, values] of filter.equal) {
    if (prefix.includes(column)) continue;
    // None if, for example, all rows are of the one chain that the filter asks for.
    const sqlName = table.columns.get(column)?.sqlName ?? column;
    const shares = values.map((value) => statistics.commonShare(table.sqlTables[0], sqlName, value));
    rows += size * Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
  }
  return rows;
}

/** Returns the index's leading columns for which the filter has values. */
function prefixOf(index: string[], { equal }: Filter): string[] {
  const end = index.findIndex((column) => !equal.has(column));
  return end === -1 ? index : index.slice(0, end);
}

/** The planner's default for a column without statistics: 200 distinct values. */
const defaultShare = 1 / 200;

/** Estimates how many rows, at most, have the filter's values in the columns; for a column without one, any single value. */
function estimateRowsWith(
  table: ApiTable,
  filter: Filter,
  columns: string[],
  statistics: TableStatistics,
): number {
  const size = tableSize(table, statistics);
  const shareOf = (column: string, value?: string) =>
    statistics.share(table.sqlTables[0], table.columns.get(column)?.sqlName ?? column, value);
  const shares = columns.map((column) => {
    const values = filter.equal.get(column);
    if (values === undefined) return shareOf(column) ?? defaultShare;
    return values.reduce((sum, value) => sum + (shareOf(column, value) ?? 1), 0);
  });
  const rows = size * Math.min(1, ...shares);
  if (table.key.length === 0 || !table.key.every((column) => columns.includes(column))) return rows;
  return Math.min(
    rows,
    table.key.reduce((count, column) => count * (filter.equal.get(column)?.length ?? 1), 1),
  );
}

function commonPrefixLength(one: string[], other: string[]): number {
  const end = one.findIndex((column, place) => other[place] !== column);
  return end === -1 ? one.length : end;
}

const freshMs = 10_000;

/** Caches what `read` returns, and refreshes it in the background once it is older than ten seconds. */
export function cacheStatistics(read: () => Promise<TableStatistics>): () => Promise<TableStatistics> {
  let cached: TableStatistics | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = shareRun(async () => {
    cached = await read();
    readAt = performance.now();
    return cached;
  });

  return async () => {
    if (cached === undefined) return await refresh();
    // Old statistics will do while the database is unavailable.
    if (performance.now() - readAt > freshMs) refresh().catch(ignore);
    return cached;
  };
}
