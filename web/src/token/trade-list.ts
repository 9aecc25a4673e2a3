import { type Signal, signal } from "@preact/signals";
import type { StreamEvent } from "../data/client.ts";
import { readTrades, type Trade } from "./data.ts";

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

/** The trades of a token: the newest as they happen, older ones when they are asked for. */
export function createTradeList(mint: string): TradeList {
  const trades = signal<Trade[] | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const cursor = signal<string | null>(null);
  const hasMore = signal(false);

  const read = async (from?: string) => {
    try {
      const answer = await readTrades(mint, from);
      const before = from === undefined ? [] : (trades.value ?? []);
      trades.value = [
        ...before,
        ...answer.trades.filter((trade) => !before.some((old) => isSame(old, trade))),
      ];
      cursor.value = answer.nextCursor;
      hasMore.value = answer.nextCursor !== null;
      error.value = undefined;
    } catch (failure) {
      error.value = failure;
    }
  };
  return {
    ...{ trades, error, hasMore },
    readMore: () => read(cursor.value ?? undefined),
    reload: () => read(),
    note(event) {
      if (event.kind !== "trade" || trades.value === undefined) return;
      const others = trades.value.filter((trade) => !isSame(trade, event));
      if (event.removed) trades.value = others;
      else trades.value = [event, ...others].slice(0, Math.max(mostLive, trades.value.length));
    },
  };
}
