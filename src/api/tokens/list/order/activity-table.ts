import type { Aspect } from "./conditions.ts";
import { copyInto, type Keys } from "./sort-by-keys.ts";
import {
  type ActivityOrder,
  type ListWindow,
  listWindows,
  type MoverOrder,
  splitMoverOrder,
} from "./sorts.ts";

/**
 * Price changes with 7 digits, which is precise enough for an order. Sorting is always descending, so `losers` holds the inverse
 * of each change.
 */
type Changes = Record<ListWindow, { gainers: Float32Array; losers: Float32Array }>;

/**
 * The recent trading activity of each token, by registration id; none if the id isn't in the table. Takes 44 bytes per token once
 * an order by activity is requested.
 */
export class ActivityTable {
  #volume = new Float64Array(0);
  #trades = new Uint32Array(0);
  #traders = new Uint32Array(0);
  #trending = new Uint32Array(0);
  #changes = emptyChanges(0);

  get size(): number {
    return this.#volume.length;
  }

  get(id: number): Activity {
    return {
      volume: this.volume(id),
      trades: this.#trades[id] ?? 0,
      traders: this.traders(id),
      trending: this.#trending[id] ?? 0,
      change: forEachWindow((window) => this.#changes[window].gainers[id] ?? 0),
    };
  }

  volume(id: number): number {
    return this.#volume[id] ?? 0;
  }

  traders(id: number): number {
    return this.#traders[id] ?? 0;
  }

  /** Whether the token has trades in the window of this order. */
  hasTrades(id: number, mover: MoverOrder): boolean {
    return (this.#changesOf(mover)[id] ?? 0) > 0;
  }

  set(id: number, { volume, trades, traders, trending, change }: Activity): void {
    if (id >= this.size) this.makeRoom(id + 1);
    this.#volume[id] = volume;
    this.#trades[id] = trades;
    this.#traders[id] = traders;
    this.#trending[id] = trending;
    for (const window of listWindows) {
      this.#changes[window].gainers[id] = change[window];
      this.#changes[window].losers[id] = change[window] === 0 ? 0 : 1 / change[window];
    }
  }

  /** Returns the sort keys of an order, the most significant first. Use them at once: they are replaced when the table grows. */
  keys(order: ActivityOrder): Keys[] {
    if (order === "volume") return [this.#volume];
    if (order === "trades") return [this.#trades];
    if (order === "trending") return [this.#trending, this.#volume];
    return [this.#changesOf(order)];
  }

  makeRoom(size: number): void {
    if (size <= this.size) return;
    this.#volume = copyInto(new Float64Array(size), this.#volume);
    this.#trades = copyInto(new Uint32Array(size), this.#trades);
    this.#traders = copyInto(new Uint32Array(size), this.#traders);
    this.#trending = copyInto(new Uint32Array(size), this.#trending);
    const changes = emptyChanges(size);
    for (const window of listWindows) {
      copyInto(changes[window].gainers, this.#changes[window].gainers);
      copyInto(changes[window].losers, this.#changes[window].losers);
    }
    this.#changes = changes;
  }

  #changesOf(mover: MoverOrder): Float32Array {
    const [side, window] = splitMoverOrder(mover);
    return this.#changes[window][side];
  }
}

function emptyChanges(size: number): Changes {
  return forEachWindow(() => ({ gainers: new Float32Array(size), losers: new Float32Array(size) }));
}

function forEachWindow<Value>(value: (window: ListWindow) => Value): Record<ListWindow, Value> {
  return { "1h": value("1h"), "6h": value("6h"), "24h": value("24h") };
}

/** A token's trading activity in the last 24 hours, as far as the list can be ordered by it. */
export type Activity = {
  /** Wei, to the 15 or 16 significant digits of a number. */
  volume: number;
  trades: number;
  /** Distinct accounts that traded. */
  traders: number;
  /** See {@link trendingScore}. */
  trending: number;
  /** The price now divided by the price before the window; 0 for a window without trades. */
  change: Record<ListWindow, number>;
};

export const noActivity: Activity = {
  volume: 0,
  trades: 0,
  traders: 0,
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

/** Returns the aspects in which two activities differ. */
export function changedAspects(before: Activity, now: Activity): Aspect[] {
  const { volume, trades, traders, trending, change } = before;
  const changed: Aspect[] = [];
  // Volume breaks ties of the trending score.
  if (now.volume !== volume) changed.push("volume", "trending");
  if (now.trades !== trades) changed.push("trades");
  if (now.traders !== traders) changed.push("traders");
  if (now.trending !== trending) changed.push("trending");
  for (const window of listWindows) {
    if (now.change[window] !== change[window]) changed.push(`gainers ${window}`, `losers ${window}`);
  }
  return changed;
}
