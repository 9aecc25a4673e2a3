import { type ProblemError, ProblemException } from "../../http/problem.ts";
import { stripNul } from "./token-on-chain.ts";

/** A token as the request describes it. */
export type ClaimedToken = {
  name: string;
  symbol: string;
  creator: string;
  burnPercent: number;
  launchpadAddress?: string;
};

/** The same token as the index or the chain has it. */
export type ActualToken = {
  name: string;
  symbol: string;
  creator: string;
  burnPercent: number;
  launchpad: string;
};

/** Finds the fields in which a registration contradicts the chain, with both values. */
export function findContradictions(claimed: ClaimedToken, actual: ActualToken): ProblemError[] {
  const pairs: [string, string | number | undefined, string | number][] = [
    ["name", stripNul(claimed.name), actual.name],
    ["symbol", stripNul(claimed.symbol), actual.symbol],
    ["creator", claimed.creator, actual.creator],
    ["burnPercent", claimed.burnPercent, actual.burnPercent],
    ["launchpadAddress", claimed.launchpadAddress, actual.launchpad],
  ];
  return pairs
    .filter(([, claim, fact]) => claim !== undefined && claim !== fact)
    .map(
      ([path, claim, fact]): ProblemError => ({
        path,
        message: `is ${JSON.stringify(claim)} in the request and ${JSON.stringify(fact)} on the chain`,
      }),
    );
}

/** Throws a problem (422) that names each contradiction. */
export function refuseContradictions(claimed: ClaimedToken, actual: ActualToken): void {
  const errors = findContradictions(claimed, actual);
  if (errors.length === 0) return;
  throw new ProblemException({
    status: 422,
    code: "contradicts_chain",
    title: "Contradicts the chain",
    detail: errors.map(({ path, message }) => `${path} ${message}`).join("; "),
    errors,
  });
}
