import { LRUCache } from "lru-cache";
import type { Turn } from "../../../concurrency/share-fairly.ts";
import type { Database } from "../../../database/database.ts";
import { type Filter, findMatches, findMatchesSince, type Matches } from "../matching-registrations.query.ts";
import { without } from "./sorted-ids.ts";

export type MatchesCache = ReturnType<typeof createMatchesCache>;

const fewWritten = 100;
const mostBytes = 32 * 1_024 * 1_024;

/**
 * The registrations that match a filter, kept while the filter is in use: only what was written since the last look is
 * looked at again, so that a search which finds a hundred thousand tokens does so once.
 */
export function createMatchesCache(db: Database) {
  const kept = new LRUCache<string, Matches>({
    maxSize: mostBytes,
    sizeCalculation: ({ ids }) => ids.byteLength + 200,
  });
  const running = new Map<string, Promise<Matches>>();

  async function find(key: string, filter: Filter): Promise<Matches> {
    const matches = await findMatches(db, filter);
    kept.set(key, matches);
    return matches;
  }

  async function update(key: string, filter: Filter, before: Matches): Promise<Matches> {
    const { registry, ids, written } = await findMatchesSince(db, filter, before.registry);
    const others = withoutAll(before.ids, written);
    const matches = { registry, ids: ids.length === 0 ? others : joined(others, ids) };
    kept.set(key, matches);
    return matches;
  }

  async function read(key: string, filter: Filter, registry: number): Promise<Matches> {
    // Somebody else may have read it since.
    const known = kept.get(key);
    if (known !== undefined && known.registry >= registry) return known;
    const shared = running.get(key);
    if (shared !== undefined) {
      const matches = await shared;
      return matches.registry >= registry ? matches : await read(key, filter, registry);
    }
    const looking = (known === undefined ? find(key, filter) : update(key, filter, known)).finally(() =>
      running.delete(key),
    );
    running.set(key, looking);
    return await looking;
  }

  /** The matches as of a version of the registry, or of a later one. Takes a turn unless they are known. */
  return async (filter: Filter, registry: number, takeTurn: Turn): Promise<Matches> => {
    const key = JSON.stringify(filter);
    const known = kept.get(key);
    if (known !== undefined && known.registry >= registry) return known;
    return await takeTurn(() => read(key, filter, registry));
  };
}

function withoutAll(ids: Int32Array, written: Int32Array): Int32Array {
  if (written.length < fewWritten) return without(ids, [...written]);
  const rewritten = new Set(written);
  return ids.filter((id) => !rewritten.has(id));
}

function joined(left: Int32Array, right: Int32Array): Int32Array {
  const both = new Int32Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
