import type { MiddlewareHandler } from "hono";
import { ProblemException, problemResponse } from "./problem.ts";
import { createTurns } from "./turns.ts";

const busy = new ProblemException({
  status: 503,
  code: "busy",
  title: "Busy",
  detail: "Too many queries are waiting for their turn: try again in a second.",
  retryAfter: 1,
});

/**
 * Lets `running` requests through at a time and `waiting` more wait for their turn. One more gets 503 with
 * Retry-After, so that a burst can't take every database connection from the rest of the service.
 */
export function takeTurns(limits: { running: number; waiting: number }): MiddlewareHandler {
  const turns = createTurns({ ...limits, refuse: () => busy });

  return async (c, next) => {
    try {
      return await turns(next);
    } catch (error) {
      if (error === busy) return problemResponse(c, busy.problem);
      throw error;
    }
  };
}
