import { LRUCache } from "lru-cache";
import type { Semaphore } from "../../../concurrency/semaphore.ts";
import type { Database } from "../../../database/database.ts";
import { type Filter, findMatches, findMatchesSince, type Matches } from "../matching-registrations.query.ts";
import { without } from "./sorted-ids.ts";

export type MatchesCache = ReturnType<typeof createMatchesCache>;

type Kept = { filter: Filter; matches: Matches };

const mostBytes = 32 * 1_024 * 1_024;
/** Filters to bring up to date with one statement, those that were used last. */
const mostUpdated = 64;

/**
 * The registrations that match a filter, kept while the filter is in use: only what was written since the last look is
 * looked at again, for all filters at once, so that a search which finds a hundred thousand tokens does so once.
 */
export function createMatchesCache(db: Database) {
  const kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    sizeCalculation: ({ matches }) => matches.ids.byteLength + 200,
  });
  const finding = new Map<string, Promise<Matches>>();
  /** By the version of the registry from which on something is looked at. */
  const updating = new Map<number, Promise<Map<string, Matches>>>();

  async function find(key: string, filter: Filter): Promise<Matches> {
    const matches = await findMatches(db, filter);
    kept.set(key, { filter, matches });
    return matches;
  }

  /** Updates what is as of a version of the registry: the matches of this filter, and of others that were in use lately. */
  async function update(key: string, own: Kept): Promise<Map<string, Matches>> {
    const { registry } = own.matches;
    const others = [...kept].filter(([other, { matches }]) => other !== key && matches.registry === registry);
    const some: [string, Kept][] = [[key, own], ...others.slice(0, mostUpdated - 1)];
    const filters = some.map(([, { filter }]) => filter);
    const since = await findMatchesSince(db, filters, registry);
    const updated = some.map(([name, { filter, matches }], index): [string, Kept] => {
      const ids = since.ids[index] as Int32Array;
      const left = without(matches.ids, since.written);
      const now = { registry: since.registry, ids: ids.length === 0 ? left : joined(left, ids) };
      return [name, { filter, matches: now }];
    });
    // The one that was used last comes first, and has to be the last to be pushed out.
    for (const [name, now] of updated.toReversed()) kept.set(name, now);
    return new Map(updated.map(([name, { matches }]) => [name, matches]));
  }

  async function read(key: string, filter: Filter, registry: number): Promise<Matches> {
    // Somebody else may have read it since.
    const known = kept.get(key);
    if (known !== undefined && known.matches.registry >= registry) return known.matches;
    const found =
      known === undefined
        ? await once(finding, key, () => find(key, filter))
        : (await once(updating, known.matches.registry, () => update(key, known))).get(key);
    return found !== undefined && found.registry >= registry ? found : await read(key, filter, registry);
  }

  /** The matches as of a version of the registry, or of a later one. Takes a turn unless they are known. */
  return async (filter: Filter, registry: number, takeTurn: Semaphore): Promise<Matches> => {
    const key = JSON.stringify(filter);
    const known = kept.get(key)?.matches;
    if (known !== undefined && known.registry >= registry) return known;
    return await takeTurn(() => read(key, filter, registry));
  };
}

/** Does some work once for all who ask for it meanwhile. */
async function once<Key, Result>(
  running: Map<Key, Promise<Result>>,
  key: Key,
  work: () => Promise<Result>,
): Promise<Result> {
  const shared = running.get(key) ?? work().finally(() => running.delete(key));
  running.set(key, shared);
  return await shared;
}

function joined(left: Int32Array, right: Int32Array): Int32Array {
  const both = new Int32Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
