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

/** A numbered REST page of `limit` rows of a list, and how many of its rows were returned already. */
const numberedPlace = z.strictObject({
  list: z.string().max(100),
  page: z.int().min(1).max(10_000),
  limit: z.int().min(1).max(100),
  skip: z.int().min(0).max(99),
});

export const cursorInput = z
  .string()
  .max(1_000)
  .optional()
  .describe("The previous result's nextCursor. If omitted, the first page.")
  .meta({ examples: ["eyJhdCI6IjIifQ"] });

export const nextCursor = z
  .string()
  .nullable()
  .describe("Pass it as cursor, with the same other arguments, to continue. Null if that was all.");

/** Decodes a cursor, which is opaque to clients. Throws a ToolError if it is not one of this kind of list. */
function readCursor<Place>(cursor: string, place: z.ZodType<Place>): Place {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    throw invalidCursor("unchanged");
  }
}

const invalidCursor = (how: string) =>
  new ToolError(
    "invalid_cursor",
    `cursor must be the nextCursor of a result of the same tool, ${how}: start again without it.`,
  );

const encode = (place: object) => Buffer.from(JSON.stringify(place)).toString("base64url");

/** Encodes the cursor of a REST list. */
export const writeCursor = (at: string | null) => (at === null ? null : encode({ at }));

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
  const at = cursor === undefined ? undefined : readCursor(cursor, listPlace).at;
  for (let count = limit; ; ) {
    const page = await read({ cursor: at, limit: count });
    const fitting = firstThatOverflows(page.rows);
    if (fitting === -1 || page.rows.length === 1)
      return { ...page, nextCursor: writeCursor(page.nextCursor) };
    count = Math.max(1, fitting);
  }
}

/**
 * Reads a page of a list with numbered pages, and returns the rows that fit into a result. The cursor keeps the first call's `limit`,
 * since the numbers of pages mean other rows with another one.
 *
 * @param list what the list is of: a cursor of another list would skip the first rows of this one
 */
export async function readNumberedPage<Numbered extends { rows: unknown[]; hasMore: boolean }>(
  list: string,
  { cursor, limit: firstLimit }: Wanted,
  read: (page: { page: number; limit: number }) => Promise<Numbered>,
): Promise<Numbered & { nextCursor: string | null }> {
  const first = { list, page: 1, limit: firstLimit, skip: 0 };
  const { page, limit, skip, ...others } = cursor === undefined ? first : readCursor(cursor, numberedPlace);
  if (others.list !== list) throw invalidCursor("with the same other arguments");
  const answer = await read({ page, limit });
  const wanted = answer.rows.slice(skip);
  const rows = fittingRows(wanted);
  const next =
    rows.length < wanted.length
      ? { list, page, limit, skip: skip + rows.length }
      : answer.hasMore
        ? { list, page: page + 1, limit, skip: 0 }
        : undefined;
  return { ...answer, rows, nextCursor: next === undefined ? null : encode(next) };
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
