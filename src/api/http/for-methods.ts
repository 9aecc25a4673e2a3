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
