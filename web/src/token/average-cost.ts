import { fromUnits } from "../format/number.ts";

/** What the API says of an account's open tokens. Dollars are left out if a rate was unknown. */
type Open = {
  openTokensRaw: string;
  openCostWei: string;
  valueUsd?: string | undefined;
  unrealisedUsd?: string | undefined;
};

/**
 * What one of an account's open tokens cost on average, in BNB, and in dollars at the rates of the time. Undefined if there are none, or
 * if they cost nothing.
 */
export function averageCost(open: Open): { bnb: string; usd: string | undefined } | undefined {
  const tokens = BigInt(open.openTokensRaw);
  const wei = BigInt(open.openCostWei);
  if (tokens === 0n || wei === 0n) return undefined;
  const costUsd = Number(open.valueUsd) - Number(open.unrealisedUsd);
  const usd = costUsd / Number(fromUnits(tokens));
  return {
    bnb: fromUnits((wei * 10n ** 36n) / tokens, 36),
    usd: usd > 0 ? usd.toFixed(18) : undefined,
  };
}
