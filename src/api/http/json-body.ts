import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import { problemResponse } from "./problem.ts";

/** Refuses a body that is too large (413). */
export function limitBytes(
  maxSize: number,
  detail = `The body may have at most ${maxSize} bytes.`,
): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: (c) => problemResponse(c, { status: 413, code: "body_too_large", detail }),
  });
}

/** Refuses a body that is too large (413) or that its Content-Type doesn't declare as JSON (415), before parsing it. */
export function jsonBody({ maxBytes }: { maxBytes: number }): MiddlewareHandler {
  const isJson: MiddlewareHandler = async (c, next) => {
    const [type, ...parameters] = (c.req.header("Content-Type") ?? "").toLowerCase().split(";");
    const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
    const encoding = c.req.header("Content-Encoding") ?? "identity";
    const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
    if (type?.trim() === "application/json" && isUtf8 && encoding === "identity") return await next();
    return problemResponse(c, {
      status: 415,
      code: "unsupported_media_type",
      detail:
        "The body must be JSON in UTF-8, not compressed, sent with the header Content-Type: application/json.",
    });
  };
  return every(isJson, limitBytes(maxBytes));
}
