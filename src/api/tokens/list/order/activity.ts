import type { Sort } from "./sorts.ts";

/** The windows in which traders are counted. The longest is also that of volume and trades. */
export type TrendingWindow = "1h" | "6h" | "24h";

/** What was traded of a token in the last 24 hours, as far as the list is ordered by it. */
export type Activity = {
  /** Wei, to the 15 or 16 significant digits that a number has. */
  volume: number;
  trades: number;
  /** See {@link trendingScore}. */
  trending: number;
};

export const noActivity: Activity = { volume: 0, trades: 0, trending: 0 };

/**
 * How many accounts trade a token: an average of the accounts per hour in the last hour, in the last six and in the last
 * 24, times 72 to have whole numbers. An account counts once in each window however often it trades, so that trading with
 * oneself is worth no more than one trade: 29 points in the last hour, 5 from then until the sixth, 1 until the 24th.
 *
 * @param traders different accounts that traded the token within each window
 */
export function trendingScore(traders: Record<TrendingWindow, number>): number {
  return 24 * traders["1h"] + 4 * traders["6h"] + traders["24h"];
}

/** The sorts in which a token may move when its activity changes. */
export function changedSorts(before: Activity, now: Activity): Sort[] {
  const { volume, trades, trending } = before;
  const found: Sort[] = [];
  // Volume breaks the ties of what trends.
  if (now.volume !== volume) found.push("volume", "trending");
  if (now.trades !== trades) found.push("trades");
  if (now.trending !== trending) found.push("trending");
  return found;
}
