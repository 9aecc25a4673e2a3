import { LRUCache } from "lru-cache";
import type { Semaphore } from "../../../concurrency/semaphore.ts";
import { coalesce } from "../../../concurrency/single-flight.ts";
import type { PooledDatabase } from "../../../database/database.ts";
import { type Filter, findMatches, findMatchesSince, type Matches } from "../matching-registrations.query.ts";
import { without } from "./id-lists.ts";

export type MatchesCache = ReturnType<typeof createMatchesCache>;

type CachedMatches = { filter: Filter; matches: Matches };

/** A search that runs, how many wait for it, and what ends it. */
type Finding = { matches: Promise<Matches>; waiting: number; abandoned: AbortController };

const maxBytes = 32 * 1_024 * 1_024;
/** The most filters to update with one statement, the most recently used first. */
const maxUpdated = 64;

/**
 * Caches the registrations that match a filter while the filter is in use. An update reads only registrations written since the
 * last one, for all filters at once, so that a search with a hundred thousand results runs only once.
 */
export function createMatchesCache(db: PooledDatabase) {
  const cache = new LRUCache<string, CachedMatches>({
    maxSize: maxBytes,
    sizeCalculation: ({ matches }) => matches.ids.byteLength + 200,
  });
  const finding = new Map<string, Finding>();
  /** Keyed by the registry's version from which they update. */
  const updating = new Map<number, Promise<Map<string, Matches>>>();

  function forget(key: string, ended: Finding): void {
    if (finding.get(key) === ended) finding.delete(key);
  }

  function startFinding(key: string, filter: Filter): Finding {
    const abandoned = new AbortController();
    const matches = findMatches(db, filter, abandoned.signal).then((found) => {
      cache.set(key, { filter, matches: found });
      return found;
    });
    const started = { matches, waiting: 0, abandoned };
    const end = () => forget(key, started);
    matches.then(end, end);
    finding.set(key, started);
    return started;
  }

  /** Shares a search among all who ask for it while it runs. Once all of them have gone, it is ended: each client searches once at a time. */
  async function find(key: string, filter: Filter, signal: AbortSignal | undefined): Promise<Matches> {
    const shared = finding.get(key) ?? startFinding(key, filter);
    shared.waiting++;
    const leave = () => {
      shared.waiting--;
      if (shared.waiting > 0) return;
      // Whoever comes now searches anew.
      forget(key, shared);
      shared.abandoned.abort(signal?.reason);
    };
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave, { once: true });
    return await shared.matches.finally(() => signal?.removeEventListener("abort", leave));
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

  async function read(
    key: string,
    filter: Filter,
    registry: number,
    signal: AbortSignal | undefined,
  ): Promise<Matches> {
    // Another caller may have read it since.
    const cached = cache.get(key);
    if (cached !== undefined && cached.matches.registry >= registry) return cached.matches;
    const matches =
      cached === undefined
        ? await find(key, filter, signal)
        : (await coalesce(updating, cached.matches.registry, () => update(key, cached))).get(key);
    return matches !== undefined && matches.registry >= registry
      ? matches
      : await read(key, filter, registry, signal);
  }

  /** Returns the matches as of a version of the registry or a later one. Takes a turn unless they are cached. */
  return async (filter: Filter, registry: number, limitSearches: Semaphore): Promise<Matches> => {
    const key = JSON.stringify(filter);
    const cached = cache.get(key)?.matches;
    if (cached !== undefined && cached.registry >= registry) return cached;
    return await limitSearches((signal) => read(key, filter, registry, signal));
  };
}

function concat(left: Int32Array, right: Int32Array): Int32Array {
  const both = new Int32Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
