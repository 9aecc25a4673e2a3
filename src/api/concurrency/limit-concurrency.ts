import type { MiddlewareHandler } from "hono";
import { busy } from "../http/busy.ts";
import { problemResponse } from "../http/problem.ts";
import { createSemaphore } from "./semaphore.ts";

const tooMany = busy();

/**
 * Lets `running` requests through at a time and `waiting` more wait for their turn. One more gets 503 with
 * Retry-After, so that a burst can't take every database connection from the rest of the service.
 */
export function limitConcurrency(limits: { running: number; waiting: number }): MiddlewareHandler {
  const turns = createSemaphore({ ...limits, refuse: () => tooMany });

  return async (c, next) => {
    try {
      return await turns(next);
    } catch (error) {
      if (error === tooMany) return problemResponse(c, tooMany.problem);
      throw error;
    }
  };
}
