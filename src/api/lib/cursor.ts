import { z } from "@hono/zod-openapi";

/*
 * Cursors name the entry after which the next page begins, by the columns of its order: what comes or goes before it
 * moves nothing behind it. To clients they are opaque.
 */

/** A place in an order by two columns. */
export type Place = { first: string; second: string };

/** An order by time or value, then by place in the chain or mint. */
export type CursorKind = {
  /** The most that the first column can hold. */
  largest: bigint;
  second: RegExp;
};

const largestInt8 = 2n ** 63n - 1n;
const mint = /^0x[0-9a-f]{40}$/;

/** By time (seconds), then block and log index as in a trade's id. */
export const chainPlace: CursorKind = { largest: largestInt8, second: /^\d{12}-\d{6}$/ };

/** Tokens by a time (seconds) and mint. */
export const timePlace: CursorKind = { largest: largestInt8, second: mint };

/** Tokens by what they are worth (wei) and mint. */
export const valuePlace: CursorKind = { largest: 2n ** 512n, second: mint };

function cursorOf({ first, second }: Place): string {
  return `${first}.${second}`;
}

/** The parameter for a cursor of that kind: a {@link Place} once parsed. */
export function cursor(kind: CursorKind) {
  return z
    .string()
    .transform((text, c): Place => {
      const place = placeOf(text, kind);
      if (place !== undefined) return place;
      c.addIssue({ code: "custom", message: "must be the nextCursor of an answer, as it came" });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: "string",
      description: "Where the page begins: the `nextCursor` of the page before. Left out: the first page.",
    });
}

function placeOf(text: string, { largest, second: form }: CursorKind): Place | undefined {
  const [first = "", second = "", ...rest] = text.split(".");
  if (!/^\d{1,160}$/.test(first) || BigInt(first) > largest) return undefined;
  return form.test(second) && rest.length === 0 ? { first, second } : undefined;
}

/** What `nextCursor` is in every answer that has one. */
export const nextCursor = z.string().nullable().openapi({
  description: "The `cursor` of the next page; null on the last one.",
});

/**
 * The first `limit` of rows, of which one more than that was read if there is one, and the cursor of the next page.
 */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  place: (row: Row) => Place,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(place(last)) : null,
  };
}
