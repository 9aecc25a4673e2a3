import type { Interval } from "../../candles/intervals.ts";

/** How TradingView's charts call the lengths of candles. */
export const intervalOf = {
  "1": "1m",
  "5": "5m",
  "15": "15m",
  "30": "30m",
  "60": "1h",
  "240": "4h",
  "1D": "1d",
  D: "1d",
  "1W": "1w",
  W: "1w",
} as const satisfies Record<string, Interval>;

export type Resolution = keyof typeof intervalOf;

export const resolutions = Object.keys(intervalOf) as Resolution[];

/** The names that a feed announces: one for each length. */
export const announced = resolutions.filter((name) => name !== "D" && name !== "W");

/** Those shorter than a day. */
export const intraday = announced.filter((name) => /^\d+$/.test(name));
