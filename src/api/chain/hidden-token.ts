import { ProblemException } from "../http/problem.ts";

/** For a token that the operator has hidden. */
export function hiddenToken(mint: string, chainId: number, reason: string): ProblemException {
  return new ProblemException({
    status: 451,
    code: "token_hidden",
    title: "Hidden by the operator",
    detail: `The operator of this service has hidden ${mint} on chain ${chainId}: ${reason}`,
  });
}
