import { decodeCursor, encodeCursor, isAtCursor } from "../cursor.ts";
import { pageLimits } from "../limits.ts";
import type { ApiTable, Relation } from "../tables.ts";
import { type Row, toRow } from "./column-list.ts";
import { type Pin, pinRows, type ReadRows, readPinned } from "./read-rows.ts";
import type { PageSelection } from "./selection.ts";
import {
  type CursorArgument,
  countStatement,
  orderOf,
  type PageArguments,
  type PageQuery,
  pageStatement,
} from "./statements.query.ts";

export type PageRequest = {
  table: ApiTable;
  args: PageArguments;
  selection: PageSelection;
  pin: Pin | undefined;
};

/** Reads a page of a top-level list. */
export async function readPage(read: ReadRows, request: PageRequest): Promise<Page> {
  const [page] = await readPages(read, request, undefined, 1);
  if (page === undefined) throw new Error("Invariant(GraphQL): a page was asked for, and none was read");
  return page;
}

/** About how many rows one statement returns at most, so that none blocks the event loop for long. */
const maxRowsPerStatement = 1_000;

/** How many pages of so many rows one statement reads. */
export const pagesPerStatement = (limit: number) =>
  Math.max(1, Math.floor(maxRowsPerStatement / Math.max(1, limit)));

/**
 * Reads a page for each of the rows, in their order. A page that several rows share is read once for each, so that its bytes count as
 * often as they appear in the answer.
 */
export async function readPagesOf(
  read: ReadRows,
  rows: Row[],
  relation: Relation,
  request: PageRequest,
): Promise<Page[]> {
  const { columns, own } = relation;
  const keys = rows.map((row) => own.map((name) => row[name]));
  const perStatement = pagesPerStatement(request.args.limit ?? pageLimits.default);
  const pages: Page[] = [];
  for (let from = 0; from < keys.length; from += perStatement) {
    const parents = { columns, keys: keys.slice(from, from + perStatement) };
    pages.push(...(await readPages(read, request, parents, parents.keys.length)));
  }
  return pages;
}

async function readPages(
  read: ReadRows,
  { table, args, selection, pin }: PageRequest,
  parents: PageQuery["parents"],
  count: number,
): Promise<Page[]> {
  const cursor = cursorOf(args);
  // The columns that cursors are made of.
  const order = selection.pageInfo || cursor !== undefined ? orderOf(table, args).columns : [];
  const columns = [...new Set([...selection.columns, ...order])];
  const query = { table, args, cursor, columns, parents, pin };
  const run = readPinned(read, pin);
  const [items, counted] = await Promise.all([
    selection.items || selection.pageInfo ? run(pageStatement(query)) : [],
    selection.totalCount ? run(countStatement(query)) : [],
  ]);
  // With parents, rows start with the parent's number.
  const skipped = parents === undefined ? 0 : 1;
  const numberOf = (values: unknown[]) => (skipped === 0 ? 0 : Number(values[0]) - 1);
  const rows: Row[][] = Array.from({ length: count }, () => []);
  for (const values of items) rows[numberOf(values)]?.push(toRow(columns, values, skipped));
  const counts: number[] = [];
  for (const values of counted) counts[numberOf(values)] = Number(values[skipped]);
  return rows.map((rows, at) =>
    toPage({ table, args, cursor, rows: pinRows(rows, pin), totalCount: counts[at] ?? null }),
  );
}

/** A page, in the form that GraphQL resolves its fields from. */
export type Page = {
  items: Row[];
  totalCount: number | null;
  /** A function, which GraphQL calls only if it is selected: encoding cursors takes a while. */
  pageInfo: () => {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
};

/** Returns the cursor that a page begins or ends at, if any. */
function cursorOf({ after, before }: PageArguments): CursorArgument | undefined {
  const cursor = after ?? before;
  if (cursor === undefined || cursor === null) return undefined;
  return { values: decodeCursor(cursor) ?? {}, isBefore: (after ?? null) === null };
}

type FoundRows = {
  table: ApiTable;
  args: PageArguments;
  cursor: CursorArgument | undefined;
  /** The rows as read, including the extra ones before or after the page. */
  rows: Row[];
  totalCount: number | null;
};

/** Makes a page of the rows read for it. Decides as Ponder does whether there is a page on either side. */
function toPage({ table, args, cursor, rows, totalCount }: FoundRows): Page {
  const { columns } = orderOf(table, args);
  const limit = args.limit ?? pageLimits.default;
  const [first] = rows;
  // The cursor's own row is not part of the page. If it no longer exists, there is no page on that side.
  const isBehindCursor =
    cursor !== undefined && first !== undefined && isAtCursor(first, columns, cursor.values);
  const pageRows = isBehindCursor
    ? rows.slice(1)
    : rows.slice(0, cursor === undefined ? undefined : limit + 1);
  const isMore = pageRows.length > limit;
  const items = pageRows.slice(0, limit);
  if (cursor?.isBefore) items.reverse();

  const hasCursors = columns.length > 0 && !args.offset;
  const cursorAt = (row: Row | undefined) =>
    hasCursors && row !== undefined ? encodeCursor(row, columns, table) : null;
  return {
    items,
    totalCount,
    pageInfo: () => ({
      hasNextPage: cursor?.isBefore ? isBehindCursor : isMore,
      hasPreviousPage: cursor?.isBefore ? isMore : isBehindCursor || Boolean(args.offset),
      startCursor: cursorAt(items[0]),
      endCursor: cursorAt(items.at(-1)),
    }),
  };
}
