import { z } from "zod";
import { ToolError } from "./tool.ts";
import { fencedJson } from "./untrusted.ts";

/** The most characters of a result. */
export const maxCharacters = 25_000;

/** The most characters of a result's rows. The difference is for the fields around them. */
const maxRowCharacters = 22_000;

/** The most characters that the number of a row's untrusted entry adds to a result. */
const entryNumber = 12;

/** The cursor of a REST list. */
const listPlace = z.strictObject({ at: z.string().max(400) });

export const cursorInput = z.string().max(1_000).optional().describe("nextCursor of the result before.");

export const nextCursor = z
  .string()
  .nullable()
  .describe("Pass it as cursor, with the same other arguments, to continue. Null if that was all.");

/** Decodes a cursor, which is opaque to clients. Throws a ToolError for any other text. */
function readCursor(cursor: string): string {
  try {
    return listPlace.parse(JSON.parse(Buffer.from(cursor, "base64url").toString())).at;
  } catch {
    throw invalidCursor();
  }
}

export const invalidCursor = () =>
  new ToolError(
    "invalid_cursor",
    "a cursor must be one that a result of the same tool gave, unchanged: start again without it.",
  );

/** Encodes the cursor of a REST list. */
export const writeCursor = (at: string | null) =>
  at === null ? null : Buffer.from(JSON.stringify({ at })).toString("base64url");

/** A call's `cursor` and `limit`. */
type Wanted = { cursor: string | undefined; limit: number };

/**
 * Reads a page of a list that REST pages by cursor. If its rows don't fit into a result, reads a shorter page: the cursor of that one
 * leads to the others, wherever they are by then.
 */
export async function readFittingPage<CursorPage extends { rows: unknown[]; nextCursor: string | null }>(
  { cursor, limit }: Wanted,
  read: (page: Wanted) => Promise<CursorPage>,
): Promise<CursorPage> {
  const at = cursor === undefined ? undefined : readCursor(cursor);
  for (let count = limit; ; ) {
    const page = await read({ cursor: at, limit: count });
    const fitting = firstThatOverflows(page.rows);
    if (fitting === -1 || page.rows.length === 1)
      return { ...page, nextCursor: writeCursor(page.nextCursor) };
    count = Math.max(1, fitting);
  }
}

/** Returns as many rows as fit into a result, but at least one if there are any. */
export function fittingRows<Row>(rows: Row[]): Row[] {
  const fitting = firstThatOverflows(rows);
  return fitting === -1 ? rows : rows.slice(0, Math.max(1, fitting));
}

/** Returns the index of the first row that doesn't fit, or -1 if all fit. */
function firstThatOverflows(rows: unknown[]): number {
  let left = maxRowCharacters;
  return rows.findIndex((row) => {
    left -= fencedJson(row).length + entryNumber;
    return left < 0;
  });
}
