import { LRUCache } from "lru-cache";
import { ignore, within } from "../../../../../config/async.ts";
import { createTickBudget } from "../../../concurrency/event-loop.ts";
import type { Semaphore } from "../../../concurrency/semaphore.ts";
import type { PooledDatabase } from "../../../database/database.ts";
import { ProblemException } from "../../../http/problem.ts";
import type { IndexState } from "../../../ponder/index-state.query.ts";
import { isIndexer } from "../../../ponder/internals.ts";
import type { Filter, Matches } from "../matching-registrations.query.ts";
import { type Conditions, hasConditions, needsActivity } from "./conditions.ts";
import { intersect, maxId, SelectedIds, toMarks } from "./id-lists.ts";
import { syncList } from "./list-sync.ts";
import { createMatchesCache, type MatchesCache } from "./matches-cache.ts";
import { isByActivity, isStanding, type ListPosition, type ListView } from "./sorts.ts";
import type { TokenIndex } from "./token-index.ts";

/** What to list. Addresses are lower-case. */
export type ListQuery = ListView & {
  query?: string;
  /** Whether to find what differs from the query by one character, in place of what has it. */
  typos?: true;
  creator?: string;
  mint?: string;
  /** Starts at 1. Ignored with `after`. */
  page: number;
  /** The position after which the page begins. */
  after?: ListPosition | undefined;
  limit: number;
};

export type ListPage = {
  /** Registration ids, in the order of the list. */
  ids: number[];
  total: number;
  /** The number of the page on which the first of the ids is now. */
  page: number;
  /** The position of the last of the ids, if others come after it. */
  next: ListPosition | undefined;
};

/** The list, synced after a request arrived. A request syncs once, for everything it needs of the list. */
export type SyncedList = { index: TokenIndex; state: IndexState };

export type Listing = ReturnType<typeof createListing>;

/** A view of a million tokens takes 4 MB, and all views that are not standing 80 MB. Evicted ones have to be sorted again. */
const maxSelectedBytes = 160 * 1_024 * 1_024;

/** With fewer registrations, garbage collection after loading takes as long as the loading, and frees little. */
const gcThreshold = 10_000;

type ListingDeps = {
  db: PooledDatabase;
  /** For syncing the list, which can take longer than a request may. */
  listDb: PooledDatabase;
  /** Milliseconds that a request waits for the list. Reading a million tokens can take longer, and goes on without it. */
  maxWaitMs?: number;
};

const stillReading = () =>
  new ProblemException({
    status: 503,
    code: "warming_up",
    detail:
      "All tokens are being read into memory, which takes longer than usual: try again in a few seconds.",
    retryAfter: 5,
  });

/** The list of registered tokens: selects pages and counts tokens. */
export function createListing({ db, listDb, maxWaitMs = 10_000 }: ListingDeps) {
  const { read: sync, entryChanges } = syncList(db, listDb);
  let loading: Promise<void> | undefined;
  // Per index, because an index that was loaded after the database was replaced needs new matches.
  const matchesByIndex = new WeakMap<TokenIndex, MatchesCache>();
  const selections = new LRUCache<string, Selection>({
    maxSize: maxSelectedBytes,
    sizeCalculation: ({ ids }) => ids.byteLength + 300,
  });
  const yieldWhenSpent = createTickBudget({ budgetMs: 1 });

  /** Resolves to what is read for a request. Throws a 503 problem if that takes too long. */
  async function inTime<Result>(reading: Promise<Result>): Promise<Result> {
    return await within(maxWaitMs, reading, () => {
      throw stillReading();
    });
  }

  function matchesIn(index: TokenIndex): MatchesCache {
    const cache = matchesByIndex.get(index) ?? createMatchesCache(db);
    matchesByIndex.set(index, cache);
    return cache;
  }

  function currentIds(index: TokenIndex, key: string): SelectedIds | undefined {
    const made = selections.get(key);
    return made?.index === index && made.epoch === index.epoch ? made.ids : undefined;
  }

  /** Selects the ids of a view that match all filters, the first of the list last. Read them at once: later changes are in place. */
  async function select(
    index: TokenIndex,
    view: ListView,
    filters: Filter[],
    limitSearches: Semaphore,
  ): Promise<SelectedIds> {
    const key = JSON.stringify([view, filters]);
    const selected = currentIds(index, key);
    if (selected !== undefined) return selected;

    const sets = await findMatchingIds(index, filters, limitSearches);
    const madeMeanwhile = currentIds(index, key);
    if (madeMeanwhile !== undefined) return madeMeanwhile;
    const ids =
      updateSelection(index, view, sets, selections.get(key)) ?? selectFromScratch(index, view, sets);
    selections.set(key, { index, epoch: index.epoch, ids });
    return ids;
  }

  /** Returns the matches of each filter, as of the index's version of the registry or a later one. */
  async function findMatchingIds(
    index: TokenIndex,
    filters: Filter[],
    limitSearches: Semaphore,
  ): Promise<Int32Array[]> {
    const getMatches = matchesIn(index);
    let matches: Matches[];
    do {
      const { registry } = index;
      matches = await Promise.all(filters.map((filter) => getMatches(filter, registry, limitSearches)));
      // Several requests may wait for the same matches, and each selection takes some milliseconds.
      await yieldWhenSpent();
      // The index may have been updated meanwhile. Its changes must not be looked up in older matches.
    } while (matches.some(({ registry }) => registry < index.registry));
    return matches.map(({ ids }) => ids);
  }

  return {
    /** Loads the list without trading activity, so that the first request needn't wait for it. */
    async load(): Promise<void> {
      const reading = sync({ withActivity: false });
      loading = reading.then(ignore, ignore).finally(() => {
        loading = undefined;
      });
      const { index } = await reading;
      // New blocks would wait for it, and where they are indexed, V8 collects garbage earlier anyway.
      if (index.registry < gcThreshold || isIndexer()) return;
      // Frees what loading the code and the list left behind: a third of the process's memory, which V8 would keep for long.
      globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    },

    /** Waits for the loading that has begun, if any. Whoever needs the list then reports why it failed. */
    async untilLoaded(): Promise<void> {
      if (loading !== undefined) await inTime(loading);
    },

    /** The same, with trading activity. */
    warm: async (): Promise<void> => void (await sync({ withActivity: true })),

    /** Counts the registered tokens of a chain. */
    async count(chainId: number): Promise<number> {
      const { index } = await inTime(sync({ withActivity: false }));
      return index.ids({ chainId, board: "all", order: "newest" }).length;
    },

    /** Syncs the list with the database for a request. */
    async sync({ order, conditions = {} }: Pick<ListView, "order" | "conditions">): Promise<SyncedList> {
      return await inTime(sync({ withActivity: isByActivity(order) || needsActivity(conditions) }));
    },

    /** Filters registrations by the conditions. */
    async filterByConditions(ids: number[], conditions: Conditions): Promise<number[]> {
      if (!hasConditions(conditions)) return ids;
      const { index } = await inTime(sync({ withActivity: needsActivity(conditions) }));
      return ids.filter((id) => index.meetsConditions(id, conditions));
    },

    entryChanges,

    /**
     * Selects a page of the list.
     *
     * @param list synced for this request, with the same order and conditions
     * @param limitSearches limits searches in the database
     */
    async page(query: ListQuery, { index }: SyncedList, limitSearches: Semaphore): Promise<ListPage> {
      const { chainId, board, order: by, conditions = {}, page, after, limit } = query;
      const filters = toFilters(query);
      const view = hasConditions(conditions)
        ? { chainId, board, order: by, conditions }
        : { chainId, board, order: by };
      const ids =
        filters.length === 0 && isStanding(by) && view.conditions === undefined
          ? index.ids({ chainId, board, order: by })
          : await select(index, view, filters, limitSearches);
      const total = ids.length;
      const end =
        after === undefined
          ? Math.max(0, total - (page - 1) * limit)
          : ids.countBefore(index.compareWith(by, after));
      const start = Math.max(0, end - limit);
      const onPage = ids.slice(start, end).reverse();
      const last = onPage.at(-1);
      return {
        ids: [...onPage],
        total,
        page: after === undefined ? page : 1 + Math.floor((total - end) / limit),
        next: last === undefined || start === 0 ? undefined : index.position(by, last),
      };
    },
  };
}

export function toFilters({
  chainId,
  query,
  typos,
  creator,
  mint,
}: Pick<ListQuery, "chainId" | "query" | "typos" | "creator" | "mint">): Filter[] {
  const kind = typos ? "similar" : "text";
  return [
    ...(query === undefined ? [] : [{ kind, chainId, query: query.toLowerCase() } as const]),
    ...(creator === undefined ? [] : [{ kind: "creator" as const, chainId, creator }]),
    ...(mint === undefined ? [] : [{ kind: "mint" as const, chainId, mint }]),
  ];
}

/** The ids of a view, or of those that match some filters, as of an epoch of an index. Updated in place when the index changes. */
type Selection = { index: TokenIndex; epoch: number; ids: SelectedIds };

/** From this many changes on, it is faster to select from scratch. */
const maxChanges = 100;
/** Without a filter, from this share of the view on. */
const maxChangedShare = 0.05;

function selectFromScratch(index: TokenIndex, view: ListView, sets: Int32Array[]): SelectedIds {
  return new SelectedIds(index.select(view, sets.length === 0 ? undefined : intersection(sets)));
}

/** Updates a selection in place. Returns undefined if it is faster to select from scratch. */
function updateSelection(
  index: TokenIndex,
  view: ListView,
  sets: Int32Array[],
  before: Selection | undefined,
): SelectedIds | undefined {
  if (before?.index !== index) return undefined;
  const changed = index.changedSince(before.epoch, view);
  const limit = sets.length === 0 ? maxChangedShare * before.ids.length : maxChanges;
  if (changed === undefined || changed.length >= limit) return undefined;
  index.updateSelection(view, before.ids, changed, isInAll(sets));
  return before.ids;
}

/** The marks of each set, shared by all selections that use the set. */
const marksBySet = new WeakMap<Int32Array, Uint8Array>();

/** Returns a function that checks whether an id is in all of the sets. */
function isInAll(sets: Int32Array[]): (id: number) => boolean {
  const all = sets.map((set) => {
    const marks = marksBySet.get(set) ?? toMarks(set, 1 + maxId(set));
    marksBySet.set(set, marks);
    return marks;
  });
  return (id) => all.every((marks) => marks[id] === 1);
}

/** Returns the ids that are in all of the sets, in the order of the smallest. */
function intersection(sets: Int32Array[]): Int32Array {
  const [smallest = new Int32Array(), ...others] = sets.toSorted((left, right) => left.length - right.length);
  return others.reduce((ids, other) => intersect(ids, other, 1 + maxId(ids)), smallest);
}
