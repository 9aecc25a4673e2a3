import { pageLimits } from "../limits.ts";
import type { ApiTable, Relation } from "../tables.ts";
import { type Row, toRow } from "./column-list.ts";
import { cursorOf, type Page, toPage } from "./page.ts";
import {
  countStatement,
  orderOf,
  type PageArguments,
  type PageQuery,
  pageStatement,
} from "./page-statement.query.ts";
import type { ReadRows } from "./read-rows.ts";
import type { PageSelection } from "./selection.ts";

export type PageRequest = { table: ApiTable; args: PageArguments; selection: PageSelection };

/** Reads a page of a top-level list. */
export async function readPage(read: ReadRows, request: PageRequest): Promise<Page> {
  const [page] = await readPages(read, request, undefined, 1);
  return page as Page;
}

/** About how many rows one statement returns at most, so that none blocks the event loop for long. */
const maxRowsPerStatement = 1_000;

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
  const parentsPerStatement = Math.max(
    1,
    Math.floor(maxRowsPerStatement / Math.max(1, request.args.limit ?? pageLimits.default)),
  );
  const pages: Page[] = [];
  for (let from = 0; from < keys.length; from += parentsPerStatement) {
    const parents = { columns, keys: keys.slice(from, from + parentsPerStatement) };
    pages.push(...(await readPages(read, request, parents, parents.keys.length)));
  }
  return pages;
}

async function readPages(
  read: ReadRows,
  { table, args, selection }: PageRequest,
  parents: PageQuery["parents"],
  count: number,
): Promise<Page[]> {
  const cursor = cursorOf(args);
  // The columns that cursors are made of.
  const order = selection.pageInfo || cursor !== undefined ? orderOf(table, args).columns : [];
  const columns = [...new Set([...selection.columns, ...order])];
  const query = { table, args, cursor, columns, parents };
  const [found, counted] = await Promise.all([
    selection.items || selection.pageInfo ? read(pageStatement(query)) : [],
    selection.totalCount ? read(countStatement(query)) : [],
  ]);
  // With parents, rows start with the parent's number.
  const skipped = parents === undefined ? 0 : 1;
  const numberOf = (values: unknown[]) => (skipped === 0 ? 0 : Number(values[0]) - 1);
  const rows: Row[][] = Array.from({ length: count }, () => []);
  for (const values of found) rows[numberOf(values)]?.push(toRow(columns, values, skipped));
  const counts: number[] = [];
  for (const values of counted) counts[numberOf(values)] = Number(values[skipped]);
  return rows.map((rows, at) => toPage({ table, args, cursor, rows, totalCount: counts[at] ?? null }));
}
