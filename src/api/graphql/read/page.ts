import { decodeCursor, encodeCursor, isAtCursor } from "../cursor.ts";
import { pageLimits } from "../limits.ts";
import type { ApiTable } from "../tables.ts";
import type { Row } from "./column-list.ts";
import { type CursorArgument, orderOf, type PageArguments } from "./page-statement.query.ts";

/** A page as its fields are resolved from it. */
export type Page = {
  items: Row[];
  totalCount: number | null;
  /** Called by GraphQL where it is selected: cursors take a while to write. */
  pageInfo: () => {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
};

/** The cursor that a page begins or ends at. */
export function cursorOf({ after, before }: PageArguments): CursorArgument | undefined {
  const given = after ?? before;
  if (given === undefined || given === null) return undefined;
  return { values: decodeCursor(given) ?? {}, isBefore: (after ?? null) === null };
}

export type FoundRows = {
  table: ApiTable;
  args: PageArguments;
  cursor: CursorArgument | undefined;
  /** As they were read: more than the page has where there are others around it. */
  rows: Row[];
  totalCount: number | null;
};

/** Makes a page of what was read for it. Whether there is a page on the other side is told as Ponder tells it. */
export function toPage({ table, args, cursor, rows, totalCount }: FoundRows): Page {
  const { columns } = orderOf(table, args);
  const limit = args.limit ?? pageLimits.default;
  const [first] = rows;
  // The row of the cursor is not on its page. Where it is gone, there is nothing on its side.
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
