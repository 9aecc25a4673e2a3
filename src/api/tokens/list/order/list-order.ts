import { setImmediate as nextTick } from "node:timers/promises";
import { type Activity, changedOrders } from "./activity.ts";
import { type Board, boards } from "./boards.ts";
import { allAspects, aspectBits, ChangeLog, type LoggedChange } from "./change-log.ts";
import { aspectsOf, type Conditions, fulfils, hasConditions } from "./conditions.ts";
import { EntryTable, type ListedToken } from "./entry-table.ts";
import type { ListView, StandingView } from "./list-view.ts";
import { OrderedIds } from "./ordered-ids.ts";
import type { SelectedIds } from "./selected-ids.ts";
import { sortByKeys, withKey } from "./sort-by-keys.ts";
import { type Compare, intersect } from "./sorted-ids.ts";
import { isMover, isStanding, type StandingOrder, standingOrders } from "./sorts.ts";

/**
 * A listed token or, undefined, one that is not in the list (any more). Keyed by registration id. Written: what the
 * registration says of it may have changed.
 */
export type Change = { id: number; token: ListedToken | undefined; isWritten: boolean };

type LoadedToken = { id: number; token: ListedToken };

/** The recent trading activity of a token, by registration id. */
export type ActivityChange = { id: number; activity: Activity };

type ChainOrders = Record<StandingOrder, Record<Board, OrderedIds>>;

/** With at least this many changes it is faster to sort everything again. */
const manyChanges = 5_000;

/**
 * The list's order by every board and sort, in memory: the page at any depth and the exact count are read off, where
 * a database would count its way there. Holds 55 bytes a token, and 40 for what was traded; what an entry says is read from the database.
 *
 * The standing orders are always there. The others are made when they are asked for, of what decides a token's place.
 */
export class ListOrder {
  readonly #table = new EntryTable();
  readonly #chains = new Map<number, ChainOrders>();
  readonly #log = new ChangeLog();
  #registry = 0;

  /** Counts up whenever the list changes, or what a search finds in it. */
  get epoch(): number {
    return this.#log.epoch;
  }

  /** The version of the registry as of which this is the order. */
  get registry(): number {
    return this.#registry;
  }

  /** Applies all changes up to a version of the registry. */
  apply(changes: Change[], registry: number): void {
    this.#registry = registry;
    const moved = changes.filter(({ id, token }) => !this.#table.isAt(id, token));
    const real: LoggedChange[] = moved.map(({ id }) => ({ id, aspects: allAspects }));
    for (const { id, token, isWritten } of changes) {
      if (token === undefined || !this.#table.isAt(id, token)) continue;
      const differences = this.#table.differences(id, token);
      if (differences.length === 0 && !isWritten) continue;
      this.#table.set(id, token);
      real.push({ id, aspects: isWritten ? allAspects : aspectBits(differences) });
    }
    this.#move(moved);
    this.#record(real);
  }

  /** Takes in all tokens as of a version of the registry, in place of none. Between two parts of them others get their turn. */
  async load(parts: Iterable<Iterable<LoadedToken>>, highestId: number, registry: number): Promise<void> {
    this.#registry = registry;
    this.#table.makeRoom(highestId);
    for (const tokens of parts) {
      for (const { id, token } of tokens) this.#table.set(id, token);
      await nextTick();
    }
    this.#sortAnew();
    this.#log.forget();
  }

  /** Applies recent trading activity. A token that is not named keeps its own, which begins as none. */
  applyActivity(changes: ActivityChange[]): void {
    const real: LoggedChange[] = [];
    for (const { id, activity } of changes) {
      const before = this.#table.activity(id);
      this.#table.setActivity(id, activity);
      // Compared as it is kept.
      const differences = changedOrders(before, this.#table.activity(id));
      if (differences.length > 0) real.push({ id, aspects: aspectBits(differences) });
    }
    this.#record(real);
  }

  /** The ids of a view that is always there, first of the list last. */
  ids({ chainId, board, order }: StandingView): OrderedIds {
    return this.#orders(chainId)[order][board];
  }

  /** What may have another place in a view since an epoch, or undefined where that is too long ago to know. */
  changedSince(epoch: number, { order, conditions = {} }: ListView): number[] | undefined {
    return this.#log.since(epoch, [order, ...aspectsOf(conditions)]);
  }

  fulfils(id: number, conditions: Conditions): boolean {
    return fulfils(this.#table.conditioned(id), conditions);
  }

  /** Those of the given ids that are in a view, first of the list last. Without ids, all of the view. */
  select(view: ListView, ids?: Int32Array): Int32Array {
    const { order } = view;
    const standing = this.ids({ ...view, order: isStanding(order) ? order : "newest" }).view();
    // Sorting few is fast; of many it is faster to pass through a whole order.
    if (ids !== undefined && ids.length * 100 <= standing.length) {
      return ids.filter((id) => this.#isIn(view, id)).sort(this.#table.compare(order));
    }
    let selected = ids === undefined ? standing.slice() : intersect(standing, ids, this.#table.size);
    if (isMover(order)) selected = withKey(selected, this.#table.keys(order));
    if (hasConditions(view.conditions ?? {})) selected = selected.filter((id) => this.#isIn(view, id));
    return isStanding(order) ? selected : sortByKeys(selected, this.#table.keys(order));
  }

  /**
   * Makes of what {@link select} returned before what it would return now.
   *
   * @param changed what has changed since
   * @param matches whether one of these is to be selected now, if it is in the view
   */
  selectAgain(
    view: ListView,
    selected: SelectedIds,
    changed: number[],
    matches: (id: number) => boolean,
  ): void {
    const more = changed.filter((id) => this.#isIn(view, id) && matches(id));
    selected.change(changed, more, this.#table.compare(view.order));
  }

  #isIn({ chainId, board, order, conditions }: ListView, id: number): boolean {
    if (this.#table.chainId(id) !== chainId) return false;
    if (board !== "all" && boards[this.#table.board(id)] !== board) return false;
    if (isMover(order) && !this.#table.hasMoved(id, order)) return false;
    return conditions === undefined || this.fulfils(id, conditions);
  }

  #move(moved: Change[]): void {
    if (moved.length >= manyChanges) {
      for (const { id, token } of moved) this.#table.set(id, token);
      this.#sortAnew();
      return;
    }
    for (const { id, token } of moved) {
      for (const ids of this.#listsOf(id)) ids.remove(id);
      this.#table.set(id, token);
      for (const ids of this.#listsOf(id)) ids.add(id);
    }
  }

  #record(changes: LoggedChange[]): void {
    if (changes.length === 0) return;
    if (changes.length >= manyChanges) this.#log.forget();
    else this.#log.record(changes);
  }

  #listsOf(id: number): OrderedIds[] {
    const chainId = this.#table.chainId(id);
    if (chainId === 0) return [];
    const board = boards[this.#table.board(id)] as Board;
    const orders = this.#orders(chainId);
    return standingOrders.flatMap((order) => [orders[order].all, orders[order][board]]);
  }

  #orders(chainId: number): ChainOrders {
    const known = this.#chains.get(chainId);
    if (known !== undefined) return known;
    const perBoard = (compare: Compare) =>
      Object.fromEntries(boards.map((board) => [board, new OrderedIds(compare)])) as Record<
        Board,
        OrderedIds
      >;
    const { byCreation, byBurnPercent } = this.#table;
    const orders = { newest: perBoard(byCreation), burn: perBoard(byBurnPercent) };
    this.#chains.set(chainId, orders);
    return orders;
  }

  #sortAnew(): void {
    for (const [chainId, unsorted] of this.#table.idsByChain(this.#chains.keys())) {
      const orders = this.#orders(chainId);
      // They come by their ids, which decide between equals.
      const newest = sortByKeys(Int32Array.from(unsorted), [this.#table.creation]);
      for (const order of standingOrders) {
        const ids = sortByKeys(newest, this.#table.keys(order));
        for (const [index, board] of boards.entries()) {
          orders[order][board].replace(
            index === 0 ? ids : ids.filter((id) => this.#table.board(id) === index),
          );
        }
      }
    }
  }
}
