import { type Activity, noActivity } from "./activity.ts";
import { compareBy, type Keys } from "./sort-by-keys.ts";
import type { Compare } from "./sorted-ids.ts";
import { isByActivity, type Sort } from "./sorts.ts";

/** Where and when a listed token was created, and what decides its place in the list. */
export type ListedToken = {
  chainId: number;
  board: number;
  /** Percent. */
  burnPercent: number;
  createdBlock: number;
  createdLogIndex: number;
  /** Percent, with 4 decimals. */
  progress: number;
  holders: number;
  /**
   * Price with 36 decimals times supply in base units. Such a product needs up to 512 bits, and a number keeps its first 53: market
   * caps that agree in 15 significant digits may count as equal.
   */
  marketCap: number;
};

/** A chain has fewer logs in a block than this. */
const logsPerBlock = 2 ** 21;

/**
 * What orders and filters the list, of each listed token, by registration id. 32 bytes a token, and 16 more from when
 * someone asks for an order by activity, so that a million fit anywhere. A token that is not listed has the chain id 0.
 */
export class EntryTable {
  #chainId = new Uint32Array(0);
  #board = new Uint8Array(0);
  #burnPercent = new Uint8Array(0);
  #creation = new Float64Array(0);
  /** In ten thousandths of a percent. */
  #progress = new Uint32Array(0);
  #holders = new Uint32Array(0);
  #marketCap = new Float64Array(0);
  #volume = new Float64Array(0);
  #trades = new Uint32Array(0);
  #trending = new Uint32Array(0);

  /** The number of ids that there is room for. */
  get size(): number {
    return this.#chainId.length;
  }

  /** What {@link byCreation} compares. To use at once: it may be outgrown. */
  get creation(): Keys {
    return this.#creation;
  }

  chainId(id: number): number {
    return this.#chainId[id] ?? 0;
  }

  board(id: number): number {
    return this.#board[id] as number;
  }

  set(id: number, token: ListedToken | undefined): void {
    this.#makeRoom(id);
    this.#chainId[id] = token?.chainId ?? 0;
    if (token === undefined) return;
    this.#board[id] = token.board;
    this.#burnPercent[id] = token.burnPercent;
    this.#creation[id] = creationOf(token);
    this.#progress[id] = tenThousandths(token.progress);
    this.#holders[id] = token.holders;
    this.#marketCap[id] = token.marketCap;
  }

  setActivity(id: number, { volume, trades, trending }: Activity): void {
    if (id >= this.#volume.length) this.#makeRoomForActivity(id);
    this.#volume[id] = volume;
    this.#trades[id] = trades;
    this.#trending[id] = trending;
  }

  activity(id: number): Activity {
    if (id >= this.#volume.length) return noActivity;
    return {
      volume: this.#volume[id] as number,
      trades: this.#trades[id] as number,
      trending: this.#trending[id] as number,
    };
  }

  /** Whether the entry is on this board of this chain already, created there and then, with this burned share. */
  isAt(id: number, token: ListedToken | undefined): boolean {
    if (token === undefined) return this.chainId(id) === 0;
    return (
      this.chainId(id) === token.chainId &&
      this.#board[id] === token.board &&
      this.#burnPercent[id] === token.burnPercent &&
      this.#creation[id] === creationOf(token)
    );
  }

  /** By which of its other properties the listed token differs from the entry. */
  differences(id: number, { progress, holders, marketCap }: ListedToken): Sort[] {
    const found: Sort[] = [];
    if (this.#progress[id] !== tenThousandths(progress)) found.push("progress");
    if (this.#holders[id] !== holders) found.push("holders");
    if (this.#marketCap[id] !== marketCap) found.push("marketcap");
    return found;
  }

  /**
   * Newest last. After a reorg a token may have the very place of one that is gone: until that one is taken out as well,
   * the ids tell them apart.
   */
  byCreation: Compare = (left, right) =>
    (this.#creation[left] as number) - (this.#creation[right] as number) || left - right;

  /** Highest burned share last, the newest last among equals. */
  byBurnPercent: Compare = (left, right) =>
    (this.#burnPercent[left] as number) - (this.#burnPercent[right] as number) ||
    this.byCreation(left, right);

  /** What a sort compares before it compares creation, the most important first. To use at once, as {@link creation}. */
  keys(sort: Sort): Keys[] {
    if (isByActivity(sort) && this.#volume.length < this.size) this.#makeRoomForActivity(this.size);
    const keys: Record<Sort, Keys[]> = {
      newest: [],
      burn: [this.#burnPercent],
      progress: [this.#progress],
      holders: [this.#holders],
      marketcap: [this.#marketCap],
      volume: [this.#volume],
      trades: [this.#trades],
      trending: [this.#trending, this.#volume],
    };
    return keys[sort];
  }

  /** The first of the list last. To use at once, as {@link keys}. */
  compare(sort: Sort): Compare {
    const byKeys = compareBy(this.keys(sort));
    return (left, right) => byKeys(left, right) || this.byCreation(left, right);
  }

  #makeRoom(id: number): void {
    if (id < this.size) return;
    const size = Math.max(1_024, 2 * id);
    this.#chainId = grown(new Uint32Array(size), this.#chainId);
    this.#board = grown(new Uint8Array(size), this.#board);
    this.#burnPercent = grown(new Uint8Array(size), this.#burnPercent);
    this.#creation = grown(new Float64Array(size), this.#creation);
    this.#progress = grown(new Uint32Array(size), this.#progress);
    this.#holders = grown(new Uint32Array(size), this.#holders);
    this.#marketCap = grown(new Float64Array(size), this.#marketCap);
  }

  #makeRoomForActivity(id: number): void {
    const size = Math.max(this.size, id + 1);
    this.#volume = grown(new Float64Array(size), this.#volume);
    this.#trades = grown(new Uint32Array(size), this.#trades);
    this.#trending = grown(new Uint32Array(size), this.#trending);
  }
}

function creationOf({ createdBlock, createdLogIndex }: ListedToken): number {
  return createdBlock * logsPerBlock + createdLogIndex;
}

/** The decimals of a percentage as the index has it, which a product with a number may miss by a hair. */
function tenThousandths(percent: number): number {
  return Math.round(percent * 10_000);
}

function grown<Values extends Uint8Array | Uint32Array | Float64Array>(room: Values, values: Values): Values {
  room.set(values);
  return room;
}
