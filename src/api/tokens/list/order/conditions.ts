import type { Order } from "./sorts.ts";

/** What a token must have to be in a view, beside its chain and board. */
export type Conditions = {
  /** Wei that were traded in the last 24 hours, to the digits that a number has. */
  minVolume?: number | undefined;
  minHolders?: number | undefined;
  /** Percent of what circulates that the creator may hold. Of a token that nobody holds, the creator holds nothing. */
  maxCreatorPercent?: number | undefined;
  /** Whether the creator must have signed the registration. */
  verified?: true | undefined;
};

/** What conditions look at. */
export type Conditioned = { volume: number; holders: number; creatorPercent: number; verified: boolean };

export function fulfils(token: Conditioned, conditions: Conditions): boolean {
  const {
    minVolume = 0,
    minHolders = 0,
    maxCreatorPercent = Number.POSITIVE_INFINITY,
    verified,
  } = conditions;
  return (
    token.volume >= minVolume &&
    token.holders >= minHolders &&
    token.creatorPercent <= maxCreatorPercent &&
    (verified === undefined || token.verified)
  );
}

/** Changes after which a token may fulfil other conditions: by the orders in which it may have moved then, or `creator`. */
export type Aspect = Order | "creator";

/** The changes that matter to the conditions. What a registration says, such as whether it is signed, always matters. */
export function aspectsOf({ minVolume, minHolders, maxCreatorPercent }: Conditions): Aspect[] {
  return [
    ...(minVolume === undefined ? [] : (["volume"] as const)),
    ...(minHolders === undefined ? [] : (["holders"] as const)),
    ...(maxCreatorPercent === undefined ? [] : (["creator"] as const)),
  ];
}

export function hasConditions(conditions: Conditions): boolean {
  return Object.values(conditions).some((value) => value !== undefined);
}
