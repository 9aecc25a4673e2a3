import type { MiddlewareHandler } from "hono";

/** Adds the headers that were set before to the answers of a handler, here Ponder's, that makes whole responses of its own. */
export function withOurHeaders(handler: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => {
    const response = await handler(c, next);
    return response && c.newResponse(response.body, response);
  };
}
