import { LRUCache } from "lru-cache";
import { createBatchLoader } from "../../../concurrency/batch-loader.ts";
import { spreadOverTicks } from "../../../concurrency/spread-over-ticks.ts";
import type { PooledDatabase } from "../../../database/database.ts";
import { type ListEntryRow, readEntries } from "../../entry/entries.query.ts";
import type { PageRow } from "../page-rows.ts";
import type { EntryChanges } from "./entry-changes.ts";
import { KeptEntry } from "./kept-entry.ts";

export type KeptEntriesDeps = {
  db: PooledDatabase;
  /** What the list's last look at the database found, if there was one. */
  changes: () => EntryChanges | undefined;
  /** Where clients reach the service. */
  baseUrl: string;
  /** Bytes of entries to keep. */
  bytes: number;
  /** Batches of entries to read at a time. */
  batches: number;
};

type Kept = {
  changes: EntryChanges;
  /** The look as of which it was true. */
  look: number;
  chainId: number;
  /** It is true from this time of its chain on, and before that one, in seconds. */
  from: number;
  until: number;
  entry: KeptEntry;
};

/** Entries to read at a time: more would make all who wait for some of them wait long. */
const mostEntries = 1_000;
/** Entries to put together in one turn of the event loop. */
const entriesPerTick = 100;

/**
 * Entries of registrations as the bytes of their JSON. One that has not changed is neither read nor put together again: a look at the list's
 * changes, or time in which a trade leaves a window, ends what is kept. The returned function takes ids of which such a look was made
 * just now, and leaves out those that are not listed.
 */
export function createKeptEntries({ db, changes, baseUrl, bytes, batches }: KeptEntriesDeps) {
  const kept = new LRUCache<number, Kept>({
    maxSize: bytes,
    // With what two buffers and their places in maps take.
    sizeCalculation: ({ entry }) => entry.bytes + 800,
  });
  const nextTick = spreadOverTicks({ budgetMs: 1 });

  const load = createBatchLoader(
    async (ids: number[]) => {
      // What is read from now on is at least as new as this look.
      const known = changes();
      const keep = known && keeper(known);
      const rows = new Map<number, PageRow>();
      for (const [index, row] of (await readEntries(db, ids)).entries()) {
        if (index % entriesPerTick === 0) await nextTick();
        const entry = new KeptEntry(row, baseUrl);
        keep?.(row, entry);
        rows.set(row.id, entry.row);
      }
      return rows;
    },
    { maxKeys: mostEntries, concurrency: batches },
  );

  /** Keeps entries that are as of the look now: of what came after it, a reorg may take back what no look has seen. */
  function keeper(known: EntryChanges) {
    const { look, chains } = known;
    return (row: ListEntryRow, entry: KeptEntry) => {
      const chain = chains.get(row.chain_id);
      if (chain === undefined || chain.written !== row.as_of) return;
      const until = row.windows_until === null ? Number.POSITIVE_INFINITY : Number(row.windows_until);
      kept.set(row.id, {
        ...{ changes: known, look, chainId: row.chain_id, entry },
        ...{ from: chain.timestamp, until },
      });
    };
  }

  function current(id: number, known: EntryChanges): PageRow | undefined {
    const found = kept.get(id);
    if (found?.changes !== known || known.hasChanged(id, found.look)) return undefined;
    const chain = known.chains.get(found.chainId);
    if (chain === undefined || chain.timestamp < found.from || chain.timestamp >= found.until)
      return undefined;
    if ((chain.rate !== null) !== found.entry.hasRate) return undefined;
    return chain.rate === null ? found.entry.row : found.entry.at(chain.rate);
  }

  return async (ids: number[]): Promise<Map<number, PageRow>> => {
    const known = changes();
    if (known === undefined) return await load(ids);
    const rows = new Map<number, PageRow>();
    const missing: number[] = [];
    for (const id of ids) {
      const row = current(id, known);
      if (row === undefined) missing.push(id);
      else rows.set(id, row);
    }
    if (missing.length === 0) return rows;
    const loaded = await load(missing);
    for (const id of missing) {
      const row = loaded.get(id);
      if (row !== undefined) rows.set(id, row);
    }
    return rows;
  };
}
