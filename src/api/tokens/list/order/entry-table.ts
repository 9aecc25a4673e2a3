import type { Activity } from "./activity.ts";
import { ActivityTable } from "./activity-table.ts";
import type { Aspect, Conditioned } from "./conditions.ts";
import { grown } from "./grown.ts";
import { compareBy, type Keys } from "./sort-by-keys.ts";
import type { Compare } from "./sorted-ids.ts";
import { isByActivity, type Mover, type Order } from "./sorts.ts";

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
  /** Percent of what circulates that the creator holds; 0 where nobody holds any. */
  creatorPercent: number;
  /** Whether the creator signed the registration. */
  verified: boolean;
};

/** A chain has fewer logs in a block than this. */
const logsPerBlock = 2 ** 21;

/**
 * What orders and filters the list, of each listed token, by registration id: 39 bytes a token, so that a million fit
 * anywhere. A token that is not listed has the chain id 0.
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
  #creatorPercent = new Float64Array(0);
  #verified = new Uint8Array(0);
  readonly #activity = new ActivityTable();

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
    this.makeRoom(id);
    this.#chainId[id] = token?.chainId ?? 0;
    if (token === undefined) return;
    this.#board[id] = token.board;
    this.#burnPercent[id] = token.burnPercent;
    this.#creation[id] = creationOf(token);
    this.#progress[id] = tenThousandths(token.progress);
    this.#holders[id] = token.holders;
    this.#marketCap[id] = token.marketCap;
    this.#creatorPercent[id] = token.creatorPercent;
    this.#verified[id] = Number(token.verified);
  }

  setActivity(id: number, activity: Activity): void {
    this.#activity.set(id, activity);
  }

  activity(id: number): Activity {
    return this.#activity.get(id);
  }

  hasMoved(id: number, mover: Mover): boolean {
    return this.#activity.hasMoved(id, mover);
  }

  /** What the conditions of a view look at. */
  conditioned(id: number): Conditioned {
    return {
      volume: this.#activity.volume(id),
      holders: this.#holders[id] as number,
      creatorPercent: this.#creatorPercent[id] as number,
      verified: this.#verified[id] === 1,
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
  differences(id: number, { progress, holders, marketCap, creatorPercent }: ListedToken): Aspect[] {
    const found: Aspect[] = [];
    if (this.#progress[id] !== tenThousandths(progress)) found.push("progress");
    if (this.#holders[id] !== holders) found.push("holders");
    if (this.#marketCap[id] !== marketCap) found.push("marketcap");
    if (this.#creatorPercent[id] !== creatorPercent) found.push("creator");
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

  /** What an order compares before it compares creation, the most important first. To use at once, as {@link creation}. */
  keys(order: Order): Keys[] {
    if (isByActivity(order)) {
      this.#activity.makeRoom(this.size);
      return this.#activity.keys(order);
    }
    const keys: Record<typeof order, Keys[]> = {
      newest: [],
      burn: [this.#burnPercent],
      progress: [this.#progress],
      holders: [this.#holders],
      marketcap: [this.#marketCap],
    };
    return keys[order];
  }

  /** The first of the list last. To use at once, as {@link keys}. */
  compare(order: Order): Compare {
    const byKeys = compareBy(this.keys(order));
    return (left, right) => byKeys(left, right) || this.byCreation(left, right);
  }

  /** The listed ids of these chains and of all others, in their order. */
  idsByChain(chains: Iterable<number>): Map<number, number[]> {
    const byChain = new Map([...chains].map((chainId): [number, number[]] => [chainId, []]));
    for (let id = 0; id < this.size; id++) {
      const chainId = this.chainId(id);
      if (chainId === 0) continue;
      const ids = byChain.get(chainId);
      if (ids === undefined) byChain.set(chainId, [id]);
      else ids.push(id);
    }
    return byChain;
  }

  /** Has room for this id, and for some more. */
  makeRoom(id: number): void {
    if (id < this.size) return;
    const size = Math.max(1_024, Math.ceil(1.25 * id));
    this.#chainId = grown(new Uint32Array(size), this.#chainId);
    this.#board = grown(new Uint8Array(size), this.#board);
    this.#burnPercent = grown(new Uint8Array(size), this.#burnPercent);
    this.#creation = grown(new Float64Array(size), this.#creation);
    this.#progress = grown(new Uint32Array(size), this.#progress);
    this.#holders = grown(new Uint32Array(size), this.#holders);
    this.#marketCap = grown(new Float64Array(size), this.#marketCap);
    this.#creatorPercent = grown(new Float64Array(size), this.#creatorPercent);
    this.#verified = grown(new Uint8Array(size), this.#verified);
  }
}

function creationOf({ createdBlock, createdLogIndex }: ListedToken): number {
  return createdBlock * logsPerBlock + createdLogIndex;
}

/** The decimals of a percentage as the index has it, which a product with a number may miss by a hair. */
function tenThousandths(percent: number): number {
  return Math.round(percent * 10_000);
}
