import type { Activity } from "./activity-table.ts";
import type { ListedNumbers, ListedToken } from "./entry-table.ts";
import { orders } from "./sorts.ts";

/** What a token must satisfy to be in a view, besides its chain and board. */
export type Conditions = {
  /** Wei traded in the last 24 hours, to the precision of a number. */
  minVolume?: number | undefined;
  /** Distinct accounts that traded in the last 24 hours. */
  minTraders?: number | undefined;
  minHolders?: number | undefined;
  /** The most percent of the circulating supply that the creator may hold. It is 0 if nobody holds any. */
  maxCreatorPercent?: number | undefined;
  /** The most percent of the circulating supply that insiders, snipers or bundlers may hold together. */
  maxInsiderPercent?: number | undefined;
  maxSniperPercent?: number | undefined;
  maxBundlerPercent?: number | undefined;
  /** The most percent of the BNB that buys have paid that the creator may have paid. It is 0 before the first buy. */
  maxCreatorBuysPercent?: number | undefined;
  /** The same for buys in the block in which the curve opened. */
  maxOpeningBuysPercent?: number | undefined;
  /** Wei traded so far without back and forth, to the precision of a number. */
  minNetVolume?: number | undefined;
  /** Whether the creator must have signed the registration. */
  verified?: true | undefined;
  /** Whether tokens that their own creator's buy graduated are left out. */
  selfGraduated?: false | undefined;
};

/** The properties of a token that conditions compare. */
export type ConditionValues = Pick<Activity, "volume" | "traders"> &
  Pick<ListedToken, "holders" | "verified" | "selfGraduated"> &
  Omit<ListedNumbers, "progress" | "marketCap">;

export function meetsConditions(token: ConditionValues, conditions: Conditions): boolean {
  const {
    minVolume = 0,
    minTraders = 0,
    minHolders = 0,
    maxCreatorPercent = Number.POSITIVE_INFINITY,
    maxInsiderPercent = Number.POSITIVE_INFINITY,
    maxSniperPercent = Number.POSITIVE_INFINITY,
    maxBundlerPercent = Number.POSITIVE_INFINITY,
    maxCreatorBuysPercent = Number.POSITIVE_INFINITY,
    maxOpeningBuysPercent = Number.POSITIVE_INFINITY,
    minNetVolume = 0,
    verified,
    selfGraduated,
  } = conditions;
  return (
    token.volume >= minVolume &&
    token.traders >= minTraders &&
    token.holders >= minHolders &&
    token.creatorPercent <= maxCreatorPercent &&
    token.insiderPercent <= maxInsiderPercent &&
    token.sniperPercent <= maxSniperPercent &&
    token.bundlerPercent <= maxBundlerPercent &&
    token.creatorBuysPercent <= maxCreatorBuysPercent &&
    token.openingBuysPercent <= maxOpeningBuysPercent &&
    token.netVolume >= minNetVolume &&
    (verified === undefined || token.verified) &&
    (selfGraduated === undefined || !token.selfGraduated)
  );
}

/** The kinds of change: a token's place in an order, its traders, the share of its creator or of a group of accounts, or who bought it and its net volume. */
export const aspects = [...orders, "traders", "creator", "insiders", "snipers", "bundlers", "buys"] as const;
export type Aspect = (typeof aspects)[number];

/** What affects a condition. `verified` and `selfGraduated` have none, since a changed registration or board affects all conditions anyway. */
const aspectOf: Record<Exclude<keyof Conditions, "verified" | "selfGraduated">, Aspect> = {
  minVolume: "volume",
  minTraders: "traders",
  minHolders: "holders",
  maxCreatorPercent: "creator",
  maxInsiderPercent: "insiders",
  maxSniperPercent: "snipers",
  maxBundlerPercent: "bundlers",
  maxCreatorBuysPercent: "buys",
  maxOpeningBuysPercent: "buys",
  minNetVolume: "buys",
};

/** Returns the aspects that affect the conditions. */
export function toAspects(conditions: Conditions): Aspect[] {
  const names = Object.keys(aspectOf) as (keyof typeof aspectOf)[];
  const set = names.filter((name) => conditions[name] !== undefined);
  return [...new Set(set.map((name) => aspectOf[name]))];
}

/** Whether the conditions need trading activity. */
export function needsActivity({ minVolume, minTraders }: Conditions): boolean {
  return minVolume !== undefined || minTraders !== undefined;
}

export function hasConditions(conditions: Conditions): boolean {
  return Object.values(conditions).some((value) => value !== undefined);
}
