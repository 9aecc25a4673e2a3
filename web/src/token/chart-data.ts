import { currentTime } from "../data/clock.ts";
import { createQueue } from "../data/queue.ts";
import type { Candle, CandleInterval, LiquidityChange, TokenDetails } from "./data.ts";

/* The chart's candles, and what is drawn of them, as numbers. */

type CandleSeriesOptions = {
  /** Reads so many candles: the latest, or those up to a time in seconds since 1970. */
  read: (limit: number, to?: number) => Promise<Candle[]>;
  /** The length of a candle, in seconds. */
  length: number;
  /** Called with all candles whenever they change. `isNew` if they are others than before, of which the newest are to be shown. */
  show: (candles: Candle[], isNew: boolean) => void;
};

/** The number of candles per request. */
export const pageSize = 500;

/** The API's limit of candles per request. */
const maxCandles = 1_500;

/** The candles of a chart: the newest, those that trades change, and older ones as somebody scrolls there. */
export function createCandleSeries({ read, length, show }: CandleSeriesOptions) {
  let candles: Candle[] = [];
  let isReadingOlder = false;
  let isNewestWanted = false;
  let isStopped = false;
  const queue = createQueue();

  const put = (next: Candle[], isNew: boolean) => {
    candles = next;
    show(next, isNew);
  };
  /** One read at a time, so that a late answer neither replaces a newer one nor joins other candles than it was read for. */
  const inTurn = (work: () => Promise<void>) => queue(() => (isStopped ? undefined : work()));
  /** How many candles there may be since a time: a hidden tab, or a device that slept, has missed many. */
  const candlesSince = (time: number) => {
    const missed = Math.ceil((currentTime() / 1_000 - time) / length);
    return Math.min(maxCandles, Math.max(10, missed + 2));
  };
  const tryToRead = async (limit: number, to?: number) => {
    const answer = await read(limit, to).catch(() => undefined);
    return isStopped ? undefined : answer;
  };

  return {
    begin: (first: Candle[]): void => put(first, true),
    async readOlder(): Promise<void> {
      if (isReadingOlder || candles.length === 0) return;
      isReadingOlder = true;
      await inTurn(async () => {
        const [first] = candles;
        if (first === undefined) return;
        const answer = await tryToRead(pageSize, first.time - 1);
        if (answer === undefined) {
          // Scrolling on tries again.
          isReadingOlder = false;
          return;
        }
        // There are no older ones: isReadingOlder stays set, so that no more are requested.
        const older = answer.filter(({ time }) => time < first.time);
        if (older.length === 0) return;
        put([...older, ...candles], false);
        isReadingOlder = false;
      });
    },
    /** Reads the candles that trades may have changed. Calls before it is its turn share one read. */
    async readNewest(): Promise<void> {
      if (isNewestWanted) return;
      isNewestWanted = true;
      await inTurn(async () => {
        isNewestWanted = false;
        const last = candles.at(-1);
        const answer = await tryToRead(last === undefined ? pageSize : candlesSince(last.time));
        const [first] = answer ?? [];
        if (answer === undefined || first === undefined) return;
        // There were none yet, as before a token's first trade, or none could be read.
        if (last === undefined) return put(answer, true);
        // After a gap longer than a request, what is older is read again when someone scrolls there.
        const isGap = first.time > last.time + length;
        const older = isGap ? [] : candles.filter(({ time }) => time < first.time);
        if (isGap) isReadingOlder = false;
        put([...older, ...answer], isGap);
      });
    },
    /** Answers that come after this change nothing. */
    stop(): void {
      isStopped = true;
    },
  };
}

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

/** An interval at which a token of this age fills the chart. */
export function defaultInterval(createdAt: string | null): CandleInterval {
  const hours = (currentTime() - Date.parse(createdAt ?? "")) / 3_600_000;
  if (hours < 4) return "1m";
  if (hours < 24) return "5m";
  if (hours < 72) return "15m";
  return hours < 24 * 30 ? "1h" : "4h";
}

/** The Unix time at which the token moved to the DEX. The launchpad added its first liquidity then. */
export function graduationTime(
  token: TokenDetails,
  liquidity: LiquidityChange[] | undefined,
): number | undefined {
  const first = liquidity?.at(-1);
  if (!token.graduated || first?.kind !== "add") return undefined;
  return Math.floor(Date.parse(first.timestamp) / 1_000);
}
