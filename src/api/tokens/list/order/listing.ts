import { LRUCache } from "lru-cache";
import type { Semaphore } from "../../../concurrency/semaphore.ts";
import { spreadOverTicks } from "../../../concurrency/spread-over-ticks.ts";
import type { PooledDatabase } from "../../../database/database.ts";
import type { IndexState } from "../../../ponder/index-state.query.ts";
import type { Filter, Matches } from "../matching-registrations.query.ts";
import { type Conditions, hasConditions } from "./conditions.ts";
import type { ListOrder } from "./list-order.ts";
import { syncList } from "./list-sync.ts";
import type { ListView } from "./list-view.ts";
import { createMatchesCache, type MatchesCache } from "./matches-cache.ts";
import type { SelectedIds } from "./selected-ids.ts";
import { type Selection, selectAgain, selectAnew } from "./selection.ts";
import { isByActivity, isStanding } from "./sorts.ts";

/** What to list. Addresses are lower-case. */
export type ListQuery = ListView & {
  query?: string;
  creator?: string;
  mint?: string;
  /** From 1. */
  page: number;
  limit: number;
};

export type ListPage = {
  /** Registration ids, in the order of the list. */
  ids: number[];
  total: number;
};

/** The list as of a moment after a request came: one look at the database for all that the request asks of the list. */
export type ListLook = { order: ListOrder; state: IndexState };

export type Listing = ReturnType<typeof createListing>;

/** A view of a million tokens takes 4 MB, and all those that are not always there 80. What is pushed out has to be sorted again. */
const mostSelectedBytes = 160 * 1_024 * 1_024;

/** To look for garbage after fewer changes of the registry would take as long as reading them, and find little. */
const manyRegistrations = 10_000;

/** The list of registered tokens: which are on a page, and how many there are. */
export function createListing(db: PooledDatabase) {
  const { read: sync, entryChanges } = syncList(db);
  // A new order, read after the database was replaced, needs new matches.
  const matchesByOrder = new WeakMap<ListOrder, MatchesCache>();
  const selections = new LRUCache<string, Selection>({
    maxSize: mostSelectedBytes,
    sizeCalculation: ({ ids }) => ids.byteLength + 300,
  });
  const nextTick = spreadOverTicks({ budgetMs: 1 });

  function matchesIn(order: ListOrder): MatchesCache {
    const known = matchesByOrder.get(order) ?? createMatchesCache(db);
    matchesByOrder.set(order, known);
    return known;
  }

  function currentIds(order: ListOrder, key: string): SelectedIds | undefined {
    const made = selections.get(key);
    return made?.order === order && made.epoch === order.epoch ? made.ids : undefined;
  }

  /** Those of the view that match all filters, first of the list last. To read at once: later changes show in it. */
  async function select(
    order: ListOrder,
    view: ListView,
    filters: Filter[],
    takeTurn: Semaphore,
  ): Promise<SelectedIds> {
    const key = JSON.stringify([view, filters]);
    const known = currentIds(order, key);
    if (known !== undefined) return known;

    const sets = await matching(order, filters, takeTurn);
    const madeMeanwhile = currentIds(order, key);
    if (madeMeanwhile !== undefined) return madeMeanwhile;
    const ids = selectAgain(order, view, sets, selections.get(key)) ?? selectAnew(order, view, sets);
    selections.set(key, { order, epoch: order.epoch, ids });
    return ids;
  }

  /** What matches each of the filters, as of the order's version of the registry or of a later one. */
  async function matching(order: ListOrder, filters: Filter[], takeTurn: Semaphore): Promise<Int32Array[]> {
    const matchesOf = matchesIn(order);
    let matches: Matches[];
    do {
      await nextTick();
      const { registry } = order;
      matches = await Promise.all(filters.map((filter) => matchesOf(filter, registry, takeTurn)));
      // The order may have moved on: what changed in it must not be looked up in matches that are older.
    } while (matches.some(({ registry }) => registry < order.registry));
    return matches.map(({ ids }) => ids);
  }

  return {
    /** Reads what the first request would have to wait for, in an order that is not by activity. */
    async open(): Promise<void> {
      const { order } = await sync({ withActivity: false });
      if (order.registry < manyRegistrations) return;
      // What loading the code and reading the list left behind: a third of the process's memory, which V8 would keep for long.
      globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    },

    /** The same, whatever its order. */
    warm: async (): Promise<void> => void (await sync({ withActivity: true })),

    /** The number of registered tokens of a chain. */
    async count(chainId: number): Promise<number> {
      const { order } = await sync({ withActivity: false });
      return order.ids({ chainId, board: "all", order: "newest" }).length;
    },

    /** Looks at the database, for what comes next of the request. */
    async look({ order, conditions = {} }: Pick<ListView, "order" | "conditions">): Promise<ListLook> {
      return await sync({ withActivity: isByActivity(order) || conditions.minVolume !== undefined });
    },

    /** Those of these registrations that fulfil the conditions. */
    async fulfilling(ids: number[], conditions: Conditions): Promise<number[]> {
      if (!hasConditions(conditions)) return ids;
      const { order } = await sync({ withActivity: conditions.minVolume !== undefined });
      return ids.filter((id) => order.fulfils(id, conditions));
    },

    entryChanges,

    /**
     * @param look of this request, for the same order and conditions
     * @param takeTurn for searches in the database
     */
    async page(query: ListQuery, { order }: ListLook, takeTurn: Semaphore): Promise<ListPage> {
      const { chainId, board, order: by, conditions = {} } = query;
      const filters = filtersOf(query);
      const view = hasConditions(conditions)
        ? { chainId, board, order: by, conditions }
        : { chainId, board, order: by };
      const ids =
        filters.length === 0 && isStanding(by) && view.conditions === undefined
          ? order.ids({ chainId, board, order: by })
          : await select(order, view, filters, takeTurn);
      const end = Math.max(0, ids.length - (query.page - 1) * query.limit);
      const page = ids.slice(Math.max(0, end - query.limit), end).reverse();
      return { ids: [...page], total: ids.length };
    },
  };
}

export function filtersOf({
  chainId,
  query,
  creator,
  mint,
}: Pick<ListQuery, "chainId" | "query" | "creator" | "mint">): Filter[] {
  return [
    ...(query === undefined ? [] : [{ kind: "text" as const, chainId, query: query.toLowerCase() }]),
    ...(creator === undefined ? [] : [{ kind: "creator" as const, chainId, creator }]),
    ...(mint === undefined ? [] : [{ kind: "mint" as const, chainId, mint }]),
  ];
}
