import type { MiddlewareHandler } from "hono";

/** Methods that only read. */
export const readMethods = ["GET", "HEAD"];

/**
 * Runs a middleware for these methods only. Register it with `use`: registered with `on`, it would count as a route for
 * these methods, and 405 responses would list them.
 */
export function forMethods(methods: string[], middleware: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => (methods.includes(c.req.method) ? await middleware(c, next) : await next());
}

/**
 * Runs a middleware for some paths only. Registered for the paths themselves, it would count as a route in Ponder's
 * metrics on each request, which costs as much as its own work.
 */
export function forPaths(has: (path: string) => boolean, middleware: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => (has(c.req.path) ? await middleware(c, next) : await next());
}

/** Whether a path belongs to the API, as the pattern "/api/*" would match it. */
export const isInApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");
