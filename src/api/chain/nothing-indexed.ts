import { ProblemException } from "../http/problem.ts";

/** For a configured chain of which no block is indexed yet. */
export function nothingIndexed(chainId: number): ProblemException {
  return new ProblemException({
    status: 503,
    code: "not_indexed_yet",
    title: "Not indexed yet",
    detail: `Nothing of chain ${chainId} is indexed yet: try again in a few seconds.`,
    retryAfter: 5,
  });
}
