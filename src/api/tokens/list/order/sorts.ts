/** The orders of the list, each with the newest first among equals. */
export const sorts = [
  "newest",
  "burn",
  "volume",
  "trades",
  "progress",
  "holders",
  "marketcap",
  "trending",
] as const;
export type Sort = (typeof sorts)[number];

/** Orders that are always kept. Where a token is in them changes seldom or never. */
export const standingSorts = ["newest", "burn"] as const;
export type StandingSort = (typeof standingSorts)[number];

/** Orders by what was traded in the last hours, which changes as time passes. */
const activitySorts: readonly Sort[] = ["volume", "trades", "trending"];

export function isStanding(sort: Sort): sort is StandingSort {
  return (standingSorts as readonly Sort[]).includes(sort);
}

export function isByActivity(sort: Sort): boolean {
  return activitySorts.includes(sort);
}
