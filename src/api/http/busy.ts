import { ProblemException } from "./problem.ts";

/** The problem for a request that would have to queue behind too many others. */
export function busy(what: string): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    title: "Busy",
    detail: `Too many ${what} are waiting for their turn: try again in a second.`,
    retryAfter: 1,
  });
}
