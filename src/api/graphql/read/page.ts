import { decodeCursor, encodeCursor, isAtCursor } from "../cursor.ts";
import { pageLimits } from "../limits.ts";
import type { ApiTable } from "../tables.ts";
import type { Row } from "./column-list.ts";
import { type CursorArgument, orderOf, type PageArguments } from "./page-statement.query.ts";

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
export function cursorOf({ after, before }: PageArguments): CursorArgument | undefined {
  const given = after ?? before;
  if (given === undefined || given === null) return undefined;
  return { values: decodeCursor(given) ?? {}, isBefore: (after ?? null) === null };
}

export type FoundRows = {
  table: ApiTable;
  args: PageArguments;
  cursor: CursorArgument | undefined;
  /** The rows as read, including the extra ones before or after the page. */
  rows: Row[];
  totalCount: number | null;
};

/** Makes a page of the rows read for it. Decides as Ponder does whether there is a page on either side. */
export function toPage({ table, args, cursor, rows, totalCount }: FoundRows): Page {
  const { columns } = orderOf(table, args);
  const limit = args.limit ?? pageLimits.default;
  const [first] = rows;
  // The cursor's own row is not part of the page. If it no longer exists, there is no page on that side.
  const isBehindCursor =
    cursor !== undefined && first !== undefined && isAtCursor(first, columns, cursor.values);
  const found = isBehindCursor ? rows.slice(1) : rows.slice(0, cursor === undefined ? undefined : limit + 1);
  const isMore = found.length > limit;
  const items = found.slice(0, limit);
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
