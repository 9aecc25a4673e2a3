import { type Activity, noActivity } from "./activity.ts";
import { growInto } from "./grow-into.ts";
import type { Keys } from "./sort-by-keys.ts";
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

/** The recent trading activity of each token, by registration id. Takes 40 bytes per token once an order by activity is requested. */
export class ActivityTable {
  #volume = new Float64Array(0);
  #trades = new Uint32Array(0);
  #trending = new Uint32Array(0);
  #changes = emptyChanges(0);

  get size(): number {
    return this.#volume.length;
  }

  get(id: number): Activity {
    if (id >= this.size) return noActivity;
    return {
      volume: this.#volume[id] as number,
      trades: this.#trades[id] as number,
      trending: this.#trending[id] as number,
      change: forEachWindow((window) => this.#changes[window].gainers[id] as number),
    };
  }

  volume(id: number): number {
    return id >= this.size ? 0 : (this.#volume[id] as number);
  }

  /** Whether the token has trades in the window of this order. */
  hasTrades(id: number, mover: MoverOrder): boolean {
    return id < this.size && (this.#changesOf(mover)[id] as number) > 0;
  }

  set(id: number, { volume, trades, trending, change }: Activity): void {
    if (id >= this.size) this.makeRoom(id + 1);
    this.#volume[id] = volume;
    this.#trades[id] = trades;
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
    this.#volume = growInto(new Float64Array(size), this.#volume);
    this.#trades = growInto(new Uint32Array(size), this.#trades);
    this.#trending = growInto(new Uint32Array(size), this.#trending);
    const changes = emptyChanges(size);
    for (const window of listWindows) {
      growInto(changes[window].gainers, this.#changes[window].gainers);
      growInto(changes[window].losers, this.#changes[window].losers);
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
