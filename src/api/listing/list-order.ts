import { type Board, boards, type Sort, sorts } from "./boards.ts";
import { EntryTable, type ListedToken } from "./entry-table.ts";
import { OrderedIds } from "./ordered-ids.ts";

/** A listed token or, undefined, one that is not in the list (any more). Keyed by registration id. */
export type Change = { id: number; token: ListedToken | undefined };

/** Which part of the list, and in what order. */
export type ListView = { chainId: number; board: Board; sort: Sort };

type ChainOrders = Record<Sort, Record<Board, OrderedIds>>;

/** From so many changes on it is faster to sort everything anew. */
const manyChanges = 5_000;

/**
 * The list's order by every board and sort, in memory: the page at any depth and the exact count are read off, where
 * a database would count its way there. Holds 48 bytes a token; what an entry says is read from the database.
 */
export class ListOrder {
  readonly #table = new EntryTable();
  readonly #chains = new Map<number, ChainOrders>();
  #epoch = 0;

  /** Changes whenever the list does. */
  get epoch(): number {
    return this.#epoch;
  }

  apply(changes: Change[]): void {
    const real = changes.filter(({ id, token }) => !this.#table.equals(id, token));
    if (real.length === 0) return;
    this.#epoch++;
    if (real.length >= manyChanges) {
      for (const { id, token } of real) this.#table.set(id, token);
      this.#sortAnew();
      return;
    }
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

  /** Those of the given ids that are in a view, first of the list last. */
  select(view: ListView, ids: Int32Array): Int32Array {
    const all = this.ids(view);
    // Sorting few is fast; of many it is faster to pass through the whole order.
    if (ids.length * 16 > all.length) return selectByPassing(all, ids, this.#table.size);
    const board = boards.indexOf(view.board);
    const chosen = ids.filter(
      (id) => this.#table.chainId(id) === view.chainId && (board === 0 || this.#table.board(id) === board),
    );
    return chosen.sort(this.#compare(view.sort));
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

function selectByPassing(all: OrderedIds, ids: Int32Array, size: number): Int32Array {
  const wanted = new Uint8Array(size);
  for (const id of ids) wanted[id] = 1;
  const chosen = new Int32Array(Math.min(all.length, ids.length));
  let count = 0;
  for (let index = 0; index < all.length; index++) {
    const id = all.at(index);
    if (wanted[id] === 1) chosen[count++] = id;
  }
  return chosen.subarray(0, count);
}
