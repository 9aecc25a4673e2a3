import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Activity, changedAspects } from "./activity-table.ts";
import {
  type Aspect,
  aspects,
  type Conditions,
  hasConditions,
  meetsConditions,
  toAspects,
} from "./conditions.ts";
import { EntryTable, type ListedToken } from "./entry-table.ts";
import {
  type Compare,
  type CompareWithPosition,
  intersect,
  OrderedIds,
  type SelectedIds,
} from "./id-lists.ts";
import { sortByKeys, withNonZeroKey } from "./sort-by-keys.ts";
import {
  type Board,
  boards,
  isMoverOrder,
  isStanding,
  type ListPosition,
  type ListView,
  type Order,
  type StandingOrder,
  type StandingView,
  standingOrders,
} from "./sorts.ts";

/**
 * A change to a listed token, keyed by registration id. `token` is undefined if it is not, or no longer, in the list. `isWritten`
 * means that the content of its registration may have changed.
 */
export type Change = { id: number; token: ListedToken | undefined; isWritten: boolean };

type LoadedToken = { id: number; token: ListedToken };

/** The recent trading activity of a token, by registration id. */
export type ActivityChange = { id: number; activity: Activity };

type ChainOrders = Record<StandingOrder, Record<Board, OrderedIds>>;

/** From this many changes on, it is faster to sort everything again. */
const resortThreshold = 5_000;

/**
 * The order of the list by every board and sort, in memory, so that pages at any depth and exact counts take constant time, where a
 * database would have to count rows. The content of entries is read from the database. The standing orders are always maintained. The others are sorted on demand.
 */
export class TokenIndex {
  readonly #table = new EntryTable();
  readonly #chains = new Map<number, ChainOrders>();
  readonly #log = new ChangeLog();
  #registry = 0;

  /** Increases whenever the list, or the result of a search in it, may change. */
  get epoch(): number {
    return this.#log.epoch;
  }

  /** The registry's version that this order reflects. */
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

  /** Loads all tokens into an empty order, as of a version of the registry. Yields to the event loop after each part. */
  async load(parts: Iterable<Iterable<LoadedToken>>, highestId: number, registry: number): Promise<void> {
    this.#registry = registry;
    this.#table.makeRoom(highestId);
    for (const tokens of parts) {
      for (const { id, token } of tokens) this.#table.set(id, token);
      await yieldToEventLoop();
    }
    this.#sortAll();
    this.#log.forget();
  }

  /** Applies recent trading activity. Tokens without a change keep theirs, which is none at first. */
  applyActivity(changes: ActivityChange[]): void {
    const real: LoggedChange[] = [];
    for (const { id, activity } of changes) {
      const before = this.#table.activity(id);
      this.#table.setActivity(id, activity);
      // Compared in the precision of the table.
      const differences = changedAspects(before, this.#table.activity(id));
      if (differences.length > 0) real.push({ id, aspects: aspectBits(differences) });
    }
    this.#record(real);
  }

  /** Returns the ids of a standing view, the first of the list last. */
  ids({ chainId, board, order }: StandingView): OrderedIds {
    return this.#orders(chainId)[order][board];
  }

  /** Returns the ids whose place in a view may have changed since an epoch, or undefined if that is too long ago. */
  changedSince(epoch: number, { order, conditions = {} }: ListView): number[] | undefined {
    return this.#log.since(epoch, [order, ...toAspects(conditions)]);
  }

  meetsConditions(id: number, conditions: Conditions): boolean {
    return meetsConditions(this.#table.conditionValues(id), conditions);
  }

  /** Returns the present position of an id in an order. */
  position(order: Order, id: number): ListPosition {
    return this.#table.position(order, id);
  }

  /** Compares ids with a position in an order, the first of the list last. Use it at once: the list may change. */
  compareWith(order: Order, position: ListPosition): CompareWithPosition {
    return this.#table.compareWith(order, position);
  }

  /** Selects those of the given ids that are in a view, the first of the list last. Without ids, selects the whole view. */
  select(view: ListView, ids?: Int32Array): Int32Array {
    const { order } = view;
    const standing = this.ids({ ...view, order: isStanding(order) ? order : "newest" }).view();
    // A few ids are sorted quickly. For many, it is faster to scan a whole order.
    if (ids !== undefined && ids.length * 100 <= standing.length) {
      return ids.filter((id) => this.#isIn(view, id)).sort(this.#table.compare(order));
    }
    let selected = ids === undefined ? standing.slice() : intersect(standing, ids, this.#table.size);
    if (isMoverOrder(order)) selected = withNonZeroKey(selected, this.#table.keys(order));
    if (hasConditions(view.conditions ?? {})) selected = selected.filter((id) => this.#isIn(view, id));
    return isStanding(order) ? selected : sortByKeys(selected, this.#table.keys(order));
  }

  /**
   * Updates an earlier result of {@link select} in place to what it would return now.
   *
   * @param changed the ids that have changed since
   * @param matches whether a changed id is to be selected now, if it is in the view
   */
  updateSelection(
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
    if (isMoverOrder(order) && !this.#table.hasTrades(id, order)) return false;
    return conditions === undefined || this.meetsConditions(id, conditions);
  }

  #move(moved: Change[]): void {
    if (moved.length >= resortThreshold) {
      for (const { id, token } of moved) this.#table.set(id, token);
      this.#sortAll();
      return;
    }
    for (const { id, token } of moved) {
      for (const ids of this.#standingListsOf(id)) ids.remove(id);
      this.#table.set(id, token);
      for (const ids of this.#standingListsOf(id)) ids.add(id);
    }
  }

  #record(changes: LoggedChange[]): void {
    if (changes.length === 0) return;
    if (changes.length >= resortThreshold) this.#log.forget();
    else this.#log.record(changes);
  }

  #standingListsOf(id: number): OrderedIds[] {
    const chainId = this.#table.chainId(id);
    const board = boards[this.#table.board(id)];
    if (chainId === 0 || board === undefined) return [];
    const orders = this.#orders(chainId);
    return standingOrders.flatMap((order) => [orders[order].all, orders[order][board]]);
  }

  #orders(chainId: number): ChainOrders {
    const existing = this.#chains.get(chainId);
    if (existing !== undefined) return existing;
    const perBoard = (compare: Compare): Record<Board, OrderedIds> => ({
      all: new OrderedIds(compare),
      new: new OrderedIds(compare),
      graduating: new OrderedIds(compare),
      listed: new OrderedIds(compare),
    });
    const { byCreation, byBurnPercent } = this.#table;
    const orders = { newest: perBoard(byCreation), burn: perBoard(byBurnPercent) };
    this.#chains.set(chainId, orders);
    return orders;
  }

  #sortAll(): void {
    for (const [chainId, unsorted] of this.#table.idsByChain(this.#chains.keys())) {
      const orders = this.#orders(chainId);
      // Stable: equal ones stay in the order of their ids.
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

/** A bit mask with a bit for each aspect. */
const allAspects = 2 ** aspects.length - 1;

function aspectBits(some: Aspect[]): number {
  return some.reduce((bits, aspect) => bits | (1 << aspects.indexOf(aspect)), 0);
}

/** An id with the bits of what may have changed: its place in an order, or the share of its creator or of a group. */
type LoggedChange = { id: number; aspects: number };

type Epoch = { ids: Int32Array; aspects: Uint32Array };

/** The number of epochs whose changes are remembered. */
const rememberedEpochs = 200;

/** Remembers which ids changed recently, and in which aspects. */
class ChangeLog {
  #epoch = 0;
  /** The remembered epochs, the latest last. */
  #epochs: Epoch[] = [];

  /** Increases with every change. */
  get epoch(): number {
    return this.#epoch;
  }

  record(changes: LoggedChange[]): void {
    this.#epoch++;
    this.#epochs.push({
      ids: Int32Array.from(changes, ({ id }) => id),
      aspects: Uint32Array.from(changes, (change) => change.aspects),
    });
    if (this.#epochs.length > rememberedEpochs) this.#epochs.shift();
  }

  /** Starts a new epoch whose changes are too many to remember. */
  forget(): void {
    this.#epoch++;
    this.#epochs = [];
  }

  /** Returns the ids that changed in one of the aspects since an epoch, or undefined if that is too long ago. */
  since(epoch: number, some: Aspect[]): number[] | undefined {
    const count = this.#epoch - epoch;
    if (count > this.#epochs.length) return undefined;
    const wanted = aspectBits(some);
    const changed = new Set<number>();
    for (const { ids, aspects } of this.#epochs.slice(this.#epochs.length - count)) {
      for (let index = 0; index < ids.length; index++) {
        if (((aspects[index] ?? 0) & wanted) !== 0) changed.add(ids[index] ?? 0);
      }
    }
    return [...changed];
  }
}
