import type { Hono, MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { problemResponse } from "./problem.ts";

/** Responds with 405 if the path exists, but not for this method. */
export function refuseMethod(app: Hono): MiddlewareHandler {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => {
      c.header("Allow", methods.join(", "));
      return problemResponse(c, {
        status: 405,
        code: "method_not_allowed",
        title: "Method not allowed",
        detail: `${c.req.path} takes ${methods.join(" or ")}, not ${c.req.method}.`,
      });
    },
  });
}
