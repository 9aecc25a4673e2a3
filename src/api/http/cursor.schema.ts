import { z } from "@hono/zod-openapi";
import { type CursorKind, type KeysetPosition, parseCursor } from "./cursor.ts";

/** The query parameter for a cursor of this kind, parsed to a {@link KeysetPosition}. */
export function cursor(kind: CursorKind) {
  return cursorBy((text): KeysetPosition | undefined => parseCursor(text, kind));
}

/** The query parameter for a cursor. `parse` returns undefined for any other text. */
export function cursorBy<Position>(parse: (text: string) => Position | undefined) {
  return z
    .string()
    .transform((text, c): Position => {
      const position = parse(text);
      if (position !== undefined) return position;
      c.addIssue({ code: "custom", message: "must be the nextCursor of an answer, unchanged" });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: "string",
      description: "Where the page begins: the `nextCursor` of the page before. If omitted, the first page.",
    });
}

/** The `nextCursor` field of every paginated response. */
export const nextCursor = z.string().nullable().openapi({
  description: "The `cursor` of the next page; null on the last page.",
});
