import type { Conditions } from "./conditions.ts";

/** The windows for traders and price changes. Volume and trades use the longest. */
export const listWindows = ["1h", "6h", "24h"] as const;
export type ListWindow = (typeof listWindows)[number];

/** The sorts of the list. In each, the newest comes first among equals. */
export const sorts = [
  "newest",
  "burn",
  "volume",
  "trades",
  "progress",
  "graduated",
  "holders",
  "marketcap",
  "trending",
  "gainers",
  "losers",
] as const;
export type Sort = (typeof sorts)[number];

/** What each sort goes by, for the documentation. */
export const sortMeanings: Record<Sort, string> = {
  newest: "latest created first.",
  burn: "by `burnPercent`.",
  volume: "by the BNB traded in the last 24 hours, on the curve and on the DEX.",
  trades: "by the number of trades in the last 24 hours.",
  progress: "by `progress`, so that graduated tokens come first.",
  graduated: "latest graduated first, by `graduatedAt`, then those that have not graduated.",
  holders: "by `holderCount`.",
  marketcap: "by `marketCapBnb`.",
  trending:
    "by how many different accounts trade the token: 24 times those of the last hour, plus 4 times those of the last 6 hours, plus those of the last 24 hours, so that each of the three hourly rates has the same weight; then by volume. An account counts once in each window, however often it trades.",
  gainers:
    "by `priceChangePercent` of the `window`, the largest gain first. Only tokens with trades in that window.",
  losers:
    "by `priceChangePercent` of the `window`, the largest loss first. Only tokens with trades in that window.",
};

/** Sorts by price change in a window. */
type MoverSort = Extract<Sort, "gainers" | "losers">;
export type MoverOrder = `${MoverSort} ${ListWindow}`;

/** The orders of the list: the sorts, with one for each window of gainers and losers. */
export type Order = Exclude<Sort, MoverSort> | MoverOrder;

/** @param window applies to gainers and losers */
export function toOrder(sort: Sort, window: ListWindow): Order {
  return sort === "gainers" || sort === "losers" ? `${sort} ${window}` : sort;
}

const moverParts: Record<MoverOrder, [MoverSort, ListWindow]> = {
  "gainers 1h": ["gainers", "1h"],
  "losers 1h": ["losers", "1h"],
  "gainers 6h": ["gainers", "6h"],
  "losers 6h": ["losers", "6h"],
  "gainers 24h": ["gainers", "24h"],
  "losers 24h": ["losers", "24h"],
};
const movers = listWindows.flatMap((window): MoverOrder[] => [`gainers ${window}`, `losers ${window}`]);

export const orders: readonly Order[] = [
  ...sorts.filter((sort) => sort !== "gainers" && sort !== "losers"),
  ...movers,
];

export function isMoverOrder(order: Order): order is MoverOrder {
  return order in moverParts;
}

/** Splits an order of gainers or losers into its sort and its window. */
export function splitMoverOrder(mover: MoverOrder): [MoverSort, ListWindow] {
  return moverParts[mover];
}

/** Orders that are always maintained, because a token's place in them changes rarely or never. */
export const standingOrders = ["newest", "burn"] as const;
export type StandingOrder = (typeof standingOrders)[number];

export function isStanding(order: Order): order is StandingOrder {
  return order === "newest" || order === "burn";
}

/** Orders by recent trading activity, which changes as time passes. */
export type ActivityOrder = "volume" | "trades" | "trending" | MoverOrder;
const activityOrders: readonly Order[] = ["volume", "trades", "trending", ...movers];

export function isByActivity(order: Order): order is ActivityOrder {
  return activityOrders.includes(order);
}

/** The boards of the list. Every token is on "all" and on exactly one of the others. */
export const boards = ["all", "new", "graduating", "listed"] as const;
export type Board = (typeof boards)[number];

/** Percent of progress from which a token that has not graduated counts as graduating. */
const graduatingProgress = 80;

export function boardOf({
  graduated,
  progress,
}: {
  graduated: boolean;
  progress: number;
}): Exclude<Board, "all"> {
  if (graduated) return "listed";
  return progress >= graduatingProgress ? "graduating" : "new";
}

/** A part of the list in an order. Orders of gainers and losers include only tokens that were traded in their window. */
export type ListView = { chainId: number; board: Board; order: Order; conditions?: Conditions };

/**
 * A position in an order: up to two sort keys (0 if the order has fewer), then creation and registration id. It stays where it is
 * when the token from which it was taken moves.
 */
export type ListPosition = readonly [number, number, number, number];

/** A view that is always maintained. */
export type StandingView = { chainId: number; board: Board; order: StandingOrder };
