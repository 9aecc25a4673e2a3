import type { MiddlewareHandler } from "hono";

/** Methods that only read. */
export const reading = ["GET", "HEAD"];

/**
 * Runs a middleware for these methods alone. To be given to `use`: a middleware that is registered `on` methods would count
 * as a route that takes them.
 */
export function forMethods(methods: string[], middleware: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => (methods.includes(c.req.method) ? await middleware(c, next) : await next());
}
