import type { Candle } from "./chart.tsx";

/* What the chart draws, as numbers. */

/** A candle in the unit that is shown. Without a known price it is a gap. */
export type Bar = {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};
export type Gap = { time: number };

export const isBar = (bar: Bar | Gap | undefined): bar is Bar => bar !== undefined && "close" in bar;

/** @param factor 1 for prices, or the supply for market caps */
export function toBars(
  candles: Candle[],
  { inUsd, factor }: { inUsd: boolean; factor: number },
): (Bar | Gap)[] {
  const hasUsd = inUsd && candles.some(({ closeUsd }) => closeUsd !== undefined);
  return candles.map((candle) => {
    const { time } = candle;
    if (hasUsd && candle.closeUsd === undefined) return { time };
    const at = (bnb: string, usd: string | undefined) => factor * Number(hasUsd ? usd : bnb);
    return {
      time,
      open: at(candle.openBnb, candle.openUsd),
      high: at(candle.highBnb, candle.highUsd),
      low: at(candle.lowBnb, candle.lowUsd),
      close: at(candle.closeBnb, candle.closeUsd),
      volume: Number(hasUsd ? (candle.volumeUsd ?? 0) : candle.volumeBnb),
    };
  });
}

/** The average of the last `length` closing prices at each bar; undefined where there are fewer, or gaps among them. */
export function movingAverage(bars: readonly (Bar | Gap)[], length: number): (number | undefined)[] {
  let sum = 0;
  let count = 0;
  return bars.map((bar, at) => {
    if (isBar(bar)) {
      sum += bar.close;
      count++;
    }
    const last = bars[at - length];
    if (isBar(last)) {
      sum -= last.close;
      count--;
    }
    return count === length ? sum / length : undefined;
  });
}

/** No candle is drawn wider than this: a token of a few minutes would look as if it were made of blocks. */
const maxBarPixels = 16;
/** About as many pixels for a candle as one can read well. */
const usualBarPixels = 7;
/** Empty candles to the right of the last one. */
const rightMargin = 3;

/**
 * The range of candles that a chart of this width shows first: the latest that are easy to read, or all of a young token's, which then
 * begin at the left and have room to grow.
 */
export function firstRange(count: number, width: number): { from: number; to: number } {
  const most = Math.max(20, Math.floor(width / usualBarPixels));
  if (count > most) return { from: count - most, to: count + rightMargin };
  const least = Math.ceil(width / maxBarPixels);
  return { from: -1, to: Math.max(least, count + rightMargin) };
}

/** A trade that is marked in the chart. */
export type MarkedTrade = {
  id: string;
  time: number;
  side: "buy" | "sell";
  who: "you" | "creator";
  bnb: number;
};

/** The marked trades of one candle by one account in one direction. */
export type Mark = {
  time: number;
  side: "buy" | "sell";
  who: "you" | "creator";
  bnb: number;
  trades: number;
};

/** Collects trades by candle, so that many of them make one mark. Those before the first candle have none. */
export function toMarks(trades: readonly MarkedTrade[], bars: readonly { time: number }[]): Mark[] {
  const marks = new Map<string, Mark>();
  for (const { time, side, who, bnb } of trades) {
    const bar = lastAtOrBefore(bars, time);
    if (bar === undefined) continue;
    const key = `${bar.time} ${side} ${who}`;
    const mark = marks.get(key) ?? { time: bar.time, side, who, bnb: 0, trades: 0 };
    marks.set(key, { ...mark, bnb: mark.bnb + bnb, trades: mark.trades + 1 });
  }
  // The visitor's own marks come first, and get the label where there is room for one.
  const rank = { you: 0, creator: 1 };
  return [...marks.values()].sort((one, other) => one.time - other.time || rank[one.who] - rank[other.who]);
}

function lastAtOrBefore<Timed extends { time: number }>(
  bars: readonly Timed[],
  time: number,
): Timed | undefined {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.time ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return bars[low - 1];
}

/** Which of the marks, in the order of time, have room for a label: as many bars apart as a label is wide. */
export function labelled<Placed extends { at: number; side: "buy" | "sell" }>(
  marks: readonly Placed[],
  barsPerLabel: number,
): Set<Placed> {
  const last = { buy: Number.NEGATIVE_INFINITY, sell: Number.NEGATIVE_INFINITY };
  const chosen = new Set<Placed>();
  for (const mark of marks) {
    if (mark.at - last[mark.side] < barsPerLabel) continue;
    last[mark.side] = mark.at;
    chosen.add(mark);
  }
  return chosen;
}

/** An interval, such as 15m, with its unit in the words of a language. */
export const intervalLabel = (interval: string, units: Record<string, string>) =>
  Object.entries(units).reduce((label, [unit, word]) => label.replace(unit, word), interval);
