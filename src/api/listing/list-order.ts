import { type Board, boards, type Sort, sorts } from "./boards.ts";
import { EntryTable, type ListedToken } from "./entry-table.ts";
import { OrderedIds } from "./ordered-ids.ts";
import { withMore, without } from "./sorted-ids.ts";

/**
 * A listed token or, undefined, one that is not in the list (any more). Keyed by registration id. Written: what the
 * registration says of it may have changed.
 */
export type Change = { id: number; token: ListedToken | undefined; isWritten: boolean };

/** Which part of the list, and in what order. */
export type ListView = { chainId: number; board: Board; sort: Sort };

type ChainOrders = Record<Sort, Record<Board, OrderedIds>>;

/** From so many changes on it is faster to sort everything anew. */
const manyChanges = 5_000;
/** How many epochs back it is known what has changed. */
const rememberedEpochs = 200;

/**
 * The list's order by every board and sort, in memory: the page at any depth and the exact count are read off, where
 * a database would count its way there. Holds 48 bytes a token; what an entry says is read from the database.
 */
export class ListOrder {
  readonly #table = new EntryTable();
  readonly #chains = new Map<number, ChainOrders>();
  #epoch = 0;
  #registry = 0;
  /** What changed in each of the last epochs, the last one last. */
  #changed: number[][] = [];

  /** Counts up whenever the list changes, or what a search finds in it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The version of the registry as of which this is the order. */
  get registry(): number {
    return this.#registry;
  }

  /** Takes in every change up to a version of the registry. */
  apply(changes: Change[], registry: number): void {
    this.#registry = registry;
    const real = changes.filter(({ id, token, isWritten }) => isWritten || !this.#table.equals(id, token));
    if (real.length === 0) return;
    this.#epoch++;
    if (real.length >= manyChanges) {
      this.#changed = [];
      for (const { id, token } of real) this.#table.set(id, token);
      this.#sortAnew();
      return;
    }
    this.#changed.push(real.map(({ id }) => id));
    if (this.#changed.length > rememberedEpochs) this.#changed.shift();
    for (const { id, token } of real) {
      for (const ids of this.#listsOf(id)) ids.remove(id);
      this.#table.set(id, token);
      for (const ids of this.#listsOf(id)) ids.add(id);
    }
  }

  /** The ids of a view, first of the list last. */
  ids({ chainId, board, sort }: ListView): OrderedIds {
    return this.#orders(chainId)[sort][board];
  }

  /** What has changed since an epoch, or undefined where that is too long ago to know. */
  changedSince(epoch: number): number[] | undefined {
    const epochs = this.#epoch - epoch;
    if (epochs > this.#changed.length) return undefined;
    return epochs === 0 ? [] : [...new Set(this.#changed.slice(-epochs).flat())];
  }

  /** Those of the given ids that are in a view, first of the list last. */
  select(view: ListView, ids: Int32Array): Int32Array {
    const all = this.ids(view);
    // Sorting few is fast; of many it is faster to pass through the whole order.
    if (ids.length * 100 > all.length) return selectByPassing(all.view(), ids, this.#table.size);
    return ids.filter((id) => this.#isIn(view, id)).sort(this.#compare(view.sort));
  }

  /**
   * What {@link select} would return now.
   *
   * @param selected what it returned before
   * @param changed what has changed since
   * @param matches whether one of these is to be selected now, if it is in the view
   */
  selectAgain(
    view: ListView,
    selected: Int32Array,
    changed: number[],
    matches: (id: number) => boolean,
  ): Int32Array {
    const more = changed.filter((id) => this.#isIn(view, id) && matches(id));
    return withMore(without(selected, changed), more, this.#compare(view.sort));
  }

  #isIn({ chainId, board }: ListView, id: number): boolean {
    if (this.#table.chainId(id) !== chainId) return false;
    return board === "all" || boards[this.#table.board(id)] === board;
  }

  #compare(sort: Sort) {
    return sort === "newest" ? this.#table.byCreation : this.#table.byBurnPercent;
  }

  #listsOf(id: number): OrderedIds[] {
    const chainId = this.#table.chainId(id);
    if (chainId === 0) return [];
    const board = boards[this.#table.board(id)] as Board;
    const orders = this.#orders(chainId);
    return sorts.flatMap((sort) => [orders[sort].all, orders[sort][board]]);
  }

  #orders(chainId: number): ChainOrders {
    const known = this.#chains.get(chainId);
    if (known !== undefined) return known;
    const perBoard = (sort: Sort) =>
      Object.fromEntries(
        boards.map((board) => [board, new OrderedIds(this.#compare(sort))]),
      ) as ChainOrders[Sort];
    const orders = { newest: perBoard("newest"), burn: perBoard("burn") };
    this.#chains.set(chainId, orders);
    return orders;
  }

  #sortAnew(): void {
    const byChain = new Map<number, number[]>([...this.#chains.keys()].map((chainId) => [chainId, []]));
    for (let id = 0; id < this.#table.size; id++) {
      const chainId = this.#table.chainId(id);
      if (chainId === 0) continue;
      const ids = byChain.get(chainId);
      if (ids === undefined) byChain.set(chainId, [id]);
      else ids.push(id);
    }
    for (const [chainId, unsorted] of byChain) {
      const orders = this.#orders(chainId);
      for (const sort of sorts) {
        const ids = Int32Array.from(unsorted).sort(this.#compare(sort));
        for (const [index, board] of boards.entries()) {
          orders[sort][board].replace(
            index === 0 ? ids : ids.filter((id) => this.#table.board(id) === index),
          );
        }
      }
    }
  }
}

function selectByPassing(all: Int32Array, ids: Int32Array, size: number): Int32Array {
  const wanted = new Uint8Array(size);
  for (let index = 0; index < ids.length; index++) wanted[ids[index] as number] = 1;
  const chosen = new Int32Array(Math.min(all.length, ids.length));
  let count = 0;
  for (let index = 0; index < all.length; index++) {
    const id = all[index] as number;
    if (wanted[id] === 1) chosen[count++] = id;
  }
  return chosen.subarray(0, count);
}
