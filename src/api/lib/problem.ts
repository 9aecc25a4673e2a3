import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An RFC 9457 problem. `code` is stable: clients may switch on it. */
export type Problem = { status: ContentfulStatusCode; code: string; title: string; detail: string };

/** Answers with `application/problem+json`. */
export function problemResponse(c: Context, problem: Problem): Response {
  return c.body(JSON.stringify({ type: "about:blank", ...problem }), problem.status, {
    "content-type": "application/problem+json",
  });
}
