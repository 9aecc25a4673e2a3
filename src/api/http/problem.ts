import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ProblemCode } from "./problem-codes.ts";
import { countProblem } from "./problem-metrics.ts";
import { requestIdOf } from "./request-id.ts";

/** One wrong value of a request: where it is, such as `mints.2`, and what it should be. */
export type ProblemError = { path: string; message: string };

/** An RFC 9457 problem. `code` is stable: clients may switch on it. */
export type Problem = {
  status: ContentfulStatusCode;
  code: ProblemCode;
  title: string;
  detail: string;
  errors?: ProblemError[];
  /** For SQL: Postgres's error code, and the position of the error in characters from 1. */
  sqlState?: string | undefined;
  position?: number | undefined;
  /** Seconds after which to try again. */
  retryAfter?: number;
};

/** Thrown if a request can't be answered: the error handler responds with the problem. */
export class ProblemException extends Error {
  override name = "ProblemException";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options);
    this.problem = problem;
  }
}

/** Responds with `application/problem+json`. */
export function problemResponse(c: Context, { retryAfter, ...problem }: Problem): Response {
  countProblem(problem);
  if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  const body = { type: "about:blank", ...problem, requestId: requestIdOf(incoming) };
  return c.body(JSON.stringify(body), problem.status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
  });
}
