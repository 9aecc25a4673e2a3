import type { Hono, MiddlewareHandler } from "hono";
import { problemResponse } from "./problem.ts";

/** Answers 405 where the path exists and the method does not; passes on everything else. */
export function methodNotAllowed(app: Hono): MiddlewareHandler {
  return async (c, next) => {
    const methods = methodsOf(app, c.req.path);
    // A route that takes the method has passed the request on: it has nothing of that name.
    if (methods.length === 0 || methods.includes(c.req.method)) return await next();
    c.header("Allow", methods.join(", "));
    return problemResponse(c, {
      status: 405,
      code: "method_not_allowed",
      title: "Method not allowed",
      detail: `${c.req.path} takes ${methods.join(" or ")}, not ${c.req.method}.`,
    });
  };
}

function methodsOf(app: Hono, path: string): string[] {
  const found = new Set<string>();
  for (const route of app.routes) {
    if (route.method === "ALL" || route.path.includes("*")) continue;
    const pattern = new RegExp(
      `^${route.path.replaceAll(/[.+?^$()[\]\\]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+")}$`,
    );
    if (pattern.test(path)) found.add(route.method);
  }
  if (found.has("GET")) found.add("HEAD");
  return [...found];
}
