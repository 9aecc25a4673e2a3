import type { MiddlewareHandler } from "hono";

/** Methods that do not write. */
export const reading = ["GET", "HEAD"];

/**
 * Runs a middleware for these methods only. Register it with `use`: registered with `on`, it would count as a route for those
 * methods, and 405 responses would list them.
 */
export function forMethods(methods: string[], middleware: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => (methods.includes(c.req.method) ? await middleware(c, next) : await next());
}

/**
 * Runs a middleware for some paths only. Registered for these paths themselves, it would count in Ponder's metrics as a route with each
 * request, which takes as long as its own work.
 */
export function forPaths(has: (path: string) => boolean, middleware: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => (has(c.req.path) ? await middleware(c, next) : await next());
}

/** Whether a path is in the API, as the pattern "/api/*" has it. */
export const isInApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");
