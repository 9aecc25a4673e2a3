import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import { problemResponse } from "./problem.ts";

/** Refuses a body that is too large (413) or no JSON by its Content-Type (415), before any of it is parsed. */
export function jsonBody({ maxBytes }: { maxBytes: number }): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: (c) =>
      problemResponse(c, {
        status: 413,
        code: "body_too_large",
        title: "Body too large",
        detail: `The body may have ${maxBytes} bytes.`,
      }),
  });
  const isJson: MiddlewareHandler = async (c, next) => {
    const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    if (type === "application/json") return await next();
    return problemResponse(c, {
      status: 415,
      code: "unsupported_media_type",
      title: "Unsupported media type",
      detail: `The body must be JSON, sent with the header Content-Type: application/json${type ? `, not ${type}` : ""}.`,
    });
  };
  return every(isJson, limit);
}
