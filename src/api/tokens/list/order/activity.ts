import { type ListWindow, listWindows, type Order } from "./sorts.ts";

/** What was traded of a token in the last 24 hours, as far as the list is ordered by it. */
export type Activity = {
  /** Wei, to the 15 or 16 significant digits that a number has. */
  volume: number;
  trades: number;
  /** See {@link trendingScore}. */
  trending: number;
  /** The price now over that before the window; 0 for a window without trades. */
  change: Record<ListWindow, number>;
};

export const noActivity: Activity = {
  volume: 0,
  trades: 0,
  trending: 0,
  change: { "1h": 0, "6h": 0, "24h": 0 },
};

/**
 * How many accounts trade a token: an average of the accounts per hour in the last hour, in the last six and in the last
 * 24, times 72 to have whole numbers. An account counts once in each window however often it trades, so that trading with
 * oneself is worth no more than one trade: 29 points in the last hour, 5 from then until the sixth, 1 until the 24th.
 *
 * @param traders different accounts that traded the token within each window
 */
export function trendingScore(traders: Record<ListWindow, number>): number {
  return 24 * traders["1h"] + 4 * traders["6h"] + traders["24h"];
}

/** The orders in which a token may move when its activity changes. */
export function changedOrders(before: Activity, now: Activity): Order[] {
  const { volume, trades, trending, change } = before;
  const found: Order[] = [];
  // Volume breaks the ties of what trends.
  if (now.volume !== volume) found.push("volume", "trending");
  if (now.trades !== trades) found.push("trades");
  if (now.trending !== trending) found.push("trending");
  for (const window of listWindows) {
    if (now.change[window] !== change[window]) found.push(`gainers ${window}`, `losers ${window}`);
  }
  return found;
}
