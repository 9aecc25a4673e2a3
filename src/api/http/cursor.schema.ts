import { z } from "@hono/zod-openapi";
import { type CursorKind, type KeysetPosition, parseCursor } from "./cursor.ts";

/** The parameter for a cursor of that kind: a {@link KeysetPosition} once parsed. */
export function cursor(kind: CursorKind) {
  return z
    .string()
    .transform((text, c): KeysetPosition => {
      const place = parseCursor(text, kind);
      if (place !== undefined) return place;
      c.addIssue({ code: "custom", message: "must be the nextCursor of an answer, as it came" });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: "string",
      description: "Where the page begins: the `nextCursor` of the previous page. Default: the first page.",
    });
}

/** What `nextCursor` is in every answer that has one. */
export const nextCursor = z.string().nullable().openapi({
  description: "The `cursor` of the next page; null on the last page.",
});
