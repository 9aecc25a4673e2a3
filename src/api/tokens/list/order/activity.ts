import { type ListWindow, listWindows, type Order } from "./sorts.ts";

/** A token's trading activity in the last 24 hours, as far as the list can be ordered by it. */
export type Activity = {
  /** Wei, to the 15 or 16 significant digits of a number. */
  volume: number;
  trades: number;
  /** See {@link trendingScore}. */
  trending: number;
  /** The price now divided by the price before the window; 0 for a window without trades. */
  change: Record<ListWindow, number>;
};

export const noActivity: Activity = {
  volume: 0,
  trades: 0,
  trending: 0,
  change: { "1h": 0, "6h": 0, "24h": 0 },
};

/**
 * Scores how many accounts trade a token: the average of the accounts per hour over the last hour, the last six and the last 24,
 * times 72 to get whole numbers. An account counts once in each window, so trading with oneself is worth no more than a single
 * trade: 29 points if it was in the last hour, 5 in the last six, 1 in the last 24.
 *
 * @param traders distinct accounts that traded the token within each window
 */
export function trendingScore(traders: Record<ListWindow, number>): number {
  return 24 * traders["1h"] + 4 * traders["6h"] + traders["24h"];
}

/** Returns the orders in which a token may move when its activity changes. */
export function changedOrders(before: Activity, now: Activity): Order[] {
  const { volume, trades, trending, change } = before;
  const found: Order[] = [];
  // Volume breaks ties of the trending score.
  if (now.volume !== volume) found.push("volume", "trending");
  if (now.trades !== trades) found.push("trades");
  if (now.trending !== trending) found.push("trending");
  for (const window of listWindows) {
    if (now.change[window] !== change[window]) found.push(`gainers ${window}`, `losers ${window}`);
  }
  return found;
}
