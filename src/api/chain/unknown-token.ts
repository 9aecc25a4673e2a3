import { ProblemException } from "../http/problem.ts";

/** For a mint that the index does not have. */
export function unknownToken(mint: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_not_found",
    title: "Token not found",
    detail: `The index has no token ${mint} on chain ${chainId}. A newly created token appears as soon as its block is indexed.`,
  });
}
