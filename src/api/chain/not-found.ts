import { ProblemException } from "../http/problem.ts";

/** For a configured chain of which no block is indexed yet. */
export function nothingIndexed(chainId: number): ProblemException {
  return new ProblemException({
    status: 503,
    code: "not_indexed_yet",
    detail: `Nothing of chain ${chainId} is indexed yet: try again in a few seconds.`,
    retryAfter: 5,
  });
}

/** For a journal that has no event yet. */
export function streamNotBegun(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "not_indexed_yet",
    detail: "The stream has not begun, as right after the first start: try again in some seconds.",
    retryAfter: 5,
  });
}

/** For a mint that the index does not have. */
export function unknownToken(mint: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_not_found",
    detail: `The index has no token ${mint} on chain ${chainId}. A newly created token appears as soon as its block is indexed.`,
  });
}

/** For a token that the operator has hidden. */
export function hiddenToken(mint: string, chainId: number, reason: string): ProblemException {
  return new ProblemException({
    status: 451,
    code: "token_hidden",
    title: "Hidden by the operator",
    detail: `The operator of this service has hidden ${mint} on chain ${chainId}: ${reason}`,
  });
}
