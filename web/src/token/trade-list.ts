import { type Signal, signal } from "@preact/signals";
import type { StreamEvent } from "../data/client.ts";
import type { readTrades, Trade } from "./data.ts";

export type TradeList = {
  trades: Signal<Trade[] | undefined>;
  error: Signal<unknown>;
  /** Whether there are older ones. */
  hasMore: Signal<boolean>;
  readMore: () => Promise<void>;
  /** Reads the newest again. */
  reload: () => Promise<void>;
  /** Adds a trade of the stream, or takes out what a reorg took back. */
  note: (event: StreamEvent) => void;
};

/** Rows that the page has at most while nobody asks for older ones. */
const mostLive = 200;

const isSame = (a: { tx: string; logIndex: number }, b: { tx: string; logIndex: number }) =>
  a.tx === b.tx && a.logIndex === b.logIndex;

/** The trades of a token: the newest as they happen, older ones when they are asked for. `readPage` reads those behind a cursor, or the newest. */
export function createTradeList(readPage: (cursor?: string) => ReturnType<typeof readTrades>): TradeList {
  const trades = signal<Trade[] | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const cursor = signal<string | null>(null);
  const hasMore = signal(false);
  /** What comes while trades are read: the answer may not know of it. */
  let meanwhile: StreamEvent[] | undefined;
  let reading: Promise<void> = Promise.resolve();

  const read = async (from?: string) => {
    meanwhile = [];
    try {
      const answer = await readPage(from);
      const before = from === undefined ? [] : (trades.value ?? []);
      trades.value = [
        ...before,
        ...answer.trades.filter((trade) => !before.some((old) => isSame(old, trade))),
      ];
      for (const event of meanwhile) apply(event);
      cursor.value = answer.nextCursor;
      hasMore.value = answer.nextCursor !== null;
      error.value = undefined;
    } catch (failure) {
      error.value = failure;
    } finally {
      meanwhile = undefined;
    }
  };
  // One after the other: an answer that comes late must not replace a newer one.
  const readNext = (from: () => string | undefined) => {
    reading = reading.then(() => read(from()));
    return reading;
  };
  const apply = (event: StreamEvent) => {
    if (event.kind !== "trade" || trades.value === undefined) return;
    const others = trades.value.filter((trade) => !isSame(trade, event));
    const isKnown = others.length < trades.value.length;
    if (event.removed) trades.value = others;
    else if (!isKnown) trades.value = [event, ...others].slice(0, Math.max(mostLive, others.length));
  };
  return {
    ...{ trades, error, hasMore },
    readMore: () => readNext(() => cursor.value ?? undefined),
    reload: () => readNext(() => undefined),
    note(event) {
      meanwhile?.push(event);
      apply(event);
    },
  };
}
