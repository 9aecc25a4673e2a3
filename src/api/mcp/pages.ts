import { z } from "zod";
import { ToolError } from "./tool-error.ts";
import { trustedPart } from "./untrusted.ts";

/** Characters of a result, its text and its structuredContent together. */
export const mostCharacters = 25_000;

/** What is left for what stands around the rows. */
const mostOfRows = 22_000;

/** Where a page of REST begins, and how many of its rows were returned already. */
type Place = { at: string | undefined; skip: number };

const place = z.strictObject({
  at: z.string().max(400).optional(),
  skip: z.int().min(0).max(1_000),
});

export const cursorInput = z
  .string()
  .max(1_000)
  .optional()
  .describe("nextCursor of the previous result, unchanged. Default: the first page.")
  .meta({ examples: ["eyJhdCI6IjIiLCJza2lwIjowfQ"] });

export const nextCursor = z
  .string()
  .nullable()
  .describe(
    "Pass it as cursor, with the same other arguments, for the next page. Null: this was the last one.",
  );

/** Opaque to clients. Throws a ToolError for what is no cursor of ours. */
export function readCursor(cursor: string | undefined): Place {
  if (cursor === undefined) return { at: undefined, skip: 0 };
  try {
    const { at, skip } = place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return { at, skip };
  } catch {
    throw new ToolError(
      "invalid_cursor",
      "cursor must be the nextCursor of a result, unchanged: start again without it.",
    );
  }
}

const writeCursor = (from: Place) => Buffer.from(JSON.stringify(from)).toString("base64url");

export type Page<Row> = {
  rows: Row[];
  /** Where the page of REST after this one begins; undefined: there is none. */
  following: string | undefined;
};

/** As many rows as fit into a result, and the cursor of those that follow. */
export function fitPage<Row>({ rows, following }: Page<Row>, { at, skip }: Place) {
  const wanted = rows.slice(skip);
  const fitting = firstTooMany(wanted);
  const shown = fitting === -1 ? wanted : wanted.slice(0, Math.max(1, fitting));
  if (shown.length < wanted.length) {
    return { rows: shown, nextCursor: writeCursor({ at, skip: skip + shown.length }) };
  }
  return {
    rows: shown,
    nextCursor: following === undefined ? null : writeCursor({ at: following, skip: 0 }),
  };
}

/** The index of the first row that is too many; -1: none is. */
function firstTooMany(rows: unknown[]): number {
  // Their text is never longer than they are. Most pages end here.
  if (2 * JSON.stringify(rows).length <= mostOfRows) return -1;
  let left = mostOfRows;
  return rows.findIndex((row) => {
    left -= JSON.stringify(row).length + JSON.stringify(trustedPart(row)).length + 2;
    return left < 0;
  });
}
