import { type ProblemError, ProblemException } from "../../http/problem.ts";
import { stripNul } from "./token-on-chain.ts";

export type Claimed = {
  name: string;
  symbol: string;
  creator: string;
  burnPercent: number;
  launchpadAddress?: string;
};

export type Actual = {
  name: string;
  symbol: string;
  creator: string;
  burnPercent: number;
  launchpad: string;
};

/** Each field in which a registration contradicts the chain, with both values. */
export function contradictionsOf(claimed: Claimed, actual: Actual): ProblemError[] {
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
export function refuseContradictions(claimed: Claimed, actual: Actual): void {
  const errors = contradictionsOf(claimed, actual);
  if (errors.length === 0) return;
  throw new ProblemException({
    status: 422,
    code: "contradicts_chain",
    title: "Contradicts the chain",
    detail: errors.map(({ path, message }) => `${path} ${message}`).join("; "),
    errors,
  });
}
