import type { MiddlewareHandler } from "hono";
import { problemResponse } from "./problem.ts";

/**
 * Lets `running` requests through at a time and `waiting` more wait for their turn. One more gets 503 with
 * Retry-After, so that a burst can't take every database connection from the rest of the service.
 */
export function takeTurns({ running, waiting }: { running: number; waiting: number }): MiddlewareHandler {
  let active = 0;
  const queue: (() => void)[] = [];

  return async (c, next) => {
    if (active >= running) {
      if (queue.length >= waiting) {
        return problemResponse(c, {
          status: 503,
          code: "busy",
          title: "Busy",
          detail: "Too many queries are waiting for their turn: try again in a second.",
          retryAfter: 1,
        });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      active++;
    }
    try {
      return await next();
    } finally {
      // Whoever comes next takes over the place.
      const following = queue.shift();
      if (following === undefined) active--;
      else following();
    }
  };
}
