import { z } from "zod";
import { ToolError } from "./tool-error.ts";
import { fencedJson } from "./untrusted.ts";

/** The most characters of a result. */
export const maxCharacters = 25_000;

/** The most characters of a result's rows. The difference is for the fields around them. */
const maxRowCharacters = 22_000;

/** The most characters that the number of a row's untrusted entry adds to a result. */
const entryNumber = 12;

/** The start of a REST page, and how many of its rows were returned already. */
type Place = { at: string | undefined; skip: number };

const place = z.strictObject({
  at: z.string().max(400).optional(),
  skip: z.int().min(0).max(1_000),
});

export const cursorInput = z
  .string()
  .max(1_000)
  .optional()
  .describe("nextCursor of the previous result, unchanged. If omitted, the first page.")
  .meta({ examples: ["eyJhdCI6IjIiLCJza2lwIjowfQ"] });

export const nextCursor = z
  .string()
  .nullable()
  .describe("Pass it as cursor, with the same other arguments, to continue. Null if that was all.");

/** Decodes a cursor, which is opaque to clients. Throws a ToolError if it is not one of ours. */
export function readCursor(cursor: string | undefined): Place {
  if (cursor === undefined) return { at: undefined, skip: 0 };
  try {
    const { at, skip } = place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return { at, skip };
  } catch {
    throw invalidCursor();
  }
}

const invalidCursor = () =>
  new ToolError(
    "invalid_cursor",
    "cursor must be the nextCursor of a result, unchanged: start again without it.",
  );

const writeCursor = (from: Place) => Buffer.from(JSON.stringify(from)).toString("base64url");

export type Page<Row> = {
  rows: Row[];
  /** The start of the next REST page; undefined if there is none. */
  next: string | undefined;
};

/** Returns as many rows as fit into a result, and the cursor of those that follow. */
export function fitPage<Row>({ rows, next }: Page<Row>, { at, skip }: Place) {
  const wanted = rows.slice(skip);
  const fitting = firstThatOverflows(wanted);
  const shown = fitting === -1 ? wanted : wanted.slice(0, Math.max(1, fitting));
  if (shown.length < wanted.length) {
    return { rows: shown, nextCursor: writeCursor({ at, skip: skip + shown.length }) };
  }
  return {
    rows: shown,
    nextCursor: next === undefined ? null : writeCursor({ at: next, skip: 0 }),
  };
}

/**
 * Reads a page of a list that REST pages by cursor. If its rows don't fit into a result, reads a shorter page: the cursor of that one
 * leads to the others, wherever they are by then.
 */
export async function readFittingPage<CursorPage extends { rows: unknown[]; nextCursor: string | null }>(
  { cursor, limit }: { cursor: string | undefined; limit: number },
  read: (page: { cursor: string | undefined; limit: number }) => Promise<CursorPage>,
): Promise<CursorPage> {
  const { at, skip } = readCursor(cursor);
  // A cursor of a list without cursors of its own.
  if (skip > 0) throw invalidCursor();
  for (let count = limit; ; ) {
    const page = await read({ cursor: at, limit: count });
    const fitting = firstThatOverflows(page.rows);
    if (fitting === -1 || page.rows.length === 1) {
      const { nextCursor } = page;
      return { ...page, nextCursor: nextCursor === null ? null : writeCursor({ at: nextCursor, skip: 0 }) };
    }
    count = Math.max(1, fitting);
  }
}

/** Returns the index of the first row that doesn't fit, or -1 if all fit. */
function firstThatOverflows(rows: unknown[]): number {
  let left = maxRowCharacters;
  return rows.findIndex((row) => {
    left -= fencedJson(row).length + entryNumber;
    return left < 0;
  });
}
