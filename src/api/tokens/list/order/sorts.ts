/** The windows in which traders are counted and prices compared. The longest is also that of volume and trades. */
export const listWindows = ["1h", "6h", "24h"] as const;
export type ListWindow = (typeof listWindows)[number];

/** What the list can be sorted by, each with the newest first among equals. */
export const sorts = [
  "newest",
  "burn",
  "volume",
  "trades",
  "progress",
  "holders",
  "marketcap",
  "trending",
  "gainers",
  "losers",
] as const;
export type Sort = (typeof sorts)[number];

/** By how much prices changed in a window. */
type MoverSort = Extract<Sort, "gainers" | "losers">;
export type Mover = `${MoverSort} ${ListWindow}`;

/** Orders of the list: the sorts, those of movers for each of their windows. */
export type Order = Exclude<Sort, MoverSort> | Mover;

/** @param window of movers */
export function orderOf(sort: Sort, window: ListWindow): Order {
  return sort === "gainers" || sort === "losers" ? `${sort} ${window}` : sort;
}

const parts = new Map(
  listWindows.flatMap((window) =>
    (["gainers", "losers"] as const).map((side): [Order, [MoverSort, ListWindow]] => [
      `${side} ${window}`,
      [side, window],
    ]),
  ),
);
const movers = [...parts.keys()] as Mover[];

export const orders: readonly Order[] = [
  ...sorts.filter((sort) => sort !== "gainers" && sort !== "losers"),
  ...movers,
];

export function isMover(order: Order): order is Mover {
  return parts.has(order);
}

/** What an order of movers begins with, and its window. */
export function partsOf(mover: Mover): [MoverSort, ListWindow] {
  return parts.get(mover) as [MoverSort, ListWindow];
}

/** Orders that are always kept. Where a token is in them changes seldom or never. */
export const standingOrders = ["newest", "burn"] as const;
export type StandingOrder = (typeof standingOrders)[number];

export function isStanding(order: Order): order is StandingOrder {
  return (standingOrders as readonly Order[]).includes(order);
}

/** Orders by what was traded in the last hours, which changes as time passes. */
export type ActivityOrder = "volume" | "trades" | "trending" | Mover;
const activityOrders: readonly Order[] = ["volume", "trades", "trending", ...movers];

export function isByActivity(order: Order): order is ActivityOrder {
  return activityOrders.includes(order);
}
