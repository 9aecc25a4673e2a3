import { LRUCache } from "lru-cache";
import type { Semaphore } from "../../../concurrency/semaphore.ts";
import { coalesce } from "../../../concurrency/single-flight.ts";
import type { Database } from "../../../database/database.ts";
import { type Filter, findMatches, findMatchesSince, type Matches } from "../matching-registrations.query.ts";
import { without } from "./id-lists.ts";

export type MatchesCache = ReturnType<typeof createMatchesCache>;

type CachedMatches = { filter: Filter; matches: Matches };

const maxBytes = 32 * 1_024 * 1_024;
/** The most filters to update with one statement, the most recently used first. */
const maxUpdated = 64;

/**
 * Caches the registrations that match a filter while the filter is in use. An update reads only registrations written since the
 * last one, for all filters at once, so that a search with a hundred thousand results runs only once.
 */
export function createMatchesCache(db: Database) {
  const cache = new LRUCache<string, CachedMatches>({
    maxSize: maxBytes,
    sizeCalculation: ({ matches }) => matches.ids.byteLength + 200,
  });
  const finding = new Map<string, Promise<Matches>>();
  /** Keyed by the registry's version from which they update. */
  const updating = new Map<number, Promise<Map<string, Matches>>>();

  async function find(key: string, filter: Filter): Promise<Matches> {
    const matches = await findMatches(db, filter);
    cache.set(key, { filter, matches });
    return matches;
  }

  /** Updates the matches of a filter, and of recently used ones whose matches are of the same version of the registry. */
  async function update(key: string, own: CachedMatches): Promise<Map<string, Matches>> {
    const { registry } = own.matches;
    const others = [...cache].filter(
      ([other, { matches }]) => other !== key && matches.registry === registry,
    );
    const outdated: [string, CachedMatches][] = [[key, own], ...others.slice(0, maxUpdated - 1)];
    const filters = outdated.map(([, { filter }]) => filter);
    const since = await findMatchesSince(db, filters, registry);
    const updated = outdated.map(([name, { filter, matches }], index): [string, CachedMatches] => {
      const ids = since.ids[index];
      const left = without(matches.ids, since.written);
      const now = {
        registry: since.registry,
        ids: ids === undefined || ids.length === 0 ? left : concat(left, ids),
      };
      return [name, { filter, matches: now }];
    });
    // Reversed, so that the most recently used one is set last, and evicted last.
    for (const [name, now] of updated.toReversed()) cache.set(name, now);
    return new Map(updated.map(([name, { matches }]) => [name, matches]));
  }

  async function read(key: string, filter: Filter, registry: number): Promise<Matches> {
    // Another caller may have read it since.
    const cached = cache.get(key);
    if (cached !== undefined && cached.matches.registry >= registry) return cached.matches;
    const matches =
      cached === undefined
        ? await coalesce(finding, key, () => find(key, filter))
        : (await coalesce(updating, cached.matches.registry, () => update(key, cached))).get(key);
    return matches !== undefined && matches.registry >= registry
      ? matches
      : await read(key, filter, registry);
  }

  /** Returns the matches as of a version of the registry or a later one. Takes a turn unless they are cached. */
  return async (filter: Filter, registry: number, limitSearches: Semaphore): Promise<Matches> => {
    const key = JSON.stringify(filter);
    const cached = cache.get(key)?.matches;
    if (cached !== undefined && cached.registry >= registry) return cached;
    return await limitSearches(() => read(key, filter, registry));
  };
}

function concat(left: Int32Array, right: Int32Array): Int32Array {
  const both = new Int32Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
