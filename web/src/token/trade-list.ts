import { type Signal, signal } from "@preact/signals";
import type { StreamEvent } from "../data/client.ts";
import type { readTrades, Trade } from "./data.ts";

export type TradeList = {
  trades: Signal<Trade[] | undefined>;
  error: Signal<unknown>;
  /** Whether there are older trades. */
  hasMore: Signal<boolean>;
  readMore: () => Promise<void>;
  /** Reads the newest trades again. */
  reload: () => Promise<void>;
  /** Adds a trade of the stream, or removes one that a reorg has undone. */
  note: (event: StreamEvent) => void;
};

/** The maximum number of rows, unless the visitor has read older ones. */
const maxLiveTrades = 200;

const isSame = (a: { tx: string; logIndex: number }, b: { tx: string; logIndex: number }) =>
  a.tx === b.tx && a.logIndex === b.logIndex;

/**
 * The trades of a token: new ones as they happen, older ones on request.
 *
 * @param readPage reads the page after a cursor, or the newest trades
 */
export function createTradeList(readPage: (cursor?: string) => ReturnType<typeof readTrades>): TradeList {
  const trades = signal<Trade[] | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const cursor = signal<string | null>(null);
  const hasMore = signal(false);
  /** Events that arrive while trades are read, since the answer may not include them. */
  let eventsWhileReading: StreamEvent[] | undefined;
  let reading: Promise<void> = Promise.resolve();

  const read = async (from?: string) => {
    eventsWhileReading = [];
    try {
      const answer = await readPage(from);
      const before = from === undefined ? [] : (trades.value ?? []);
      trades.value = [
        ...before,
        ...answer.trades.filter((trade) => !before.some((old) => isSame(old, trade))),
      ];
      for (const event of eventsWhileReading) apply(event);
      cursor.value = answer.nextCursor;
      hasMore.value = answer.nextCursor !== null;
      error.value = undefined;
    } catch (failure) {
      error.value = failure;
    } finally {
      eventsWhileReading = undefined;
    }
  };
  // One read at a time, so that a late answer can't replace a newer one.
  const readNext = (from: () => string | undefined) => {
    reading = reading.then(() => read(from()));
    return reading;
  };
  const apply = (event: StreamEvent) => {
    if (event.kind !== "trade" || trades.value === undefined) return;
    const others = trades.value.filter((trade) => !isSame(trade, event));
    const isKnown = others.length < trades.value.length;
    if (event.removed) trades.value = others;
    else if (!isKnown) trades.value = [event, ...others].slice(0, Math.max(maxLiveTrades, others.length));
  };
  return {
    ...{ trades, error, hasMore },
    readMore: () => readNext(() => cursor.value ?? undefined),
    reload: () => readNext(() => undefined),
    note(event) {
      eventsWhileReading?.push(event);
      apply(event);
    },
  };
}
