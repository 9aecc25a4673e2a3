import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createTickBudget } from "../../concurrency/event-loop.ts";
import { createBatchLoader } from "../../concurrency/single-flight.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { type EntryRow, type ListEntryRow, readEntries } from "../entry/entries.query.ts";
import { toEntryWithoutUsd, toUsdFields } from "../entry/token-entry.mapper.ts";
import type { EntryChanges } from "./entry-changes.ts";
import type { PageRow } from "./page-rows.ts";

type EntryCacheDeps = {
  db: PooledDatabase;
  /** Returns what the list's last sync with the database found, if there was one. */
  changes: () => EntryChanges | undefined;
  /** Where clients reach the service. */
  baseUrl: string;
  /** The most bytes of entries to cache. */
  bytes: number;
  /** Batches of entries to read at a time. */
  batches: number;
};

type CachedEntry = {
  changes: EntryChanges;
  /** The sync as of which the entry was read. */
  syncCount: number;
  chainId: number;
  /** The entry is valid from this time of its chain (inclusive) until that one (exclusive), in seconds. */
  from: number;
  until: number;
  entry: SerializedEntry;
};

/** The most entries to read at a time: larger batches would delay everyone who waits for one of them. */
const maxBatch = 1_000;
/** Entries to serialize before other requests may have a turn. */
const entriesPerTurn = 10;

/**
 * Caches entries of registrations as the bytes of their JSON, so that an unchanged one is neither read nor serialized again. A sync
 * that finds a change, or a trade that leaves a window as time passes, invalidates an entry. The returned function takes ids that
 * were selected right after a sync, and leaves out those that are not listed.
 */
export function createEntryCache({ db, changes, baseUrl, bytes, batches }: EntryCacheDeps) {
  const cache = new LRUCache<number, CachedEntry>({
    maxSize: bytes,
    // Plus the overhead of two buffers and their places in maps.
    sizeCalculation: ({ entry }) => entry.bytes + 800,
  });
  const yieldWhenSpent = createTickBudget({ budgetMs: 1 });

  const load = createBatchLoader(
    async (ids: number[]) => {
      // Whatever is read from now on is at least as new as this sync.
      const entryChanges = changes();
      const addToCache = entryChanges && cacheWriter(entryChanges);
      const rows = new Map<number, PageRow>();
      for (const [index, row] of (await readEntries(db, ids)).entries()) {
        if (index % entriesPerTurn === 0) await yieldWhenSpent();
        const entry = new SerializedEntry(row, baseUrl);
        addToCache?.(row, entry);
        rows.set(row.id, entry.row);
      }
      return rows;
    },
    { maxKeys: maxBatch, concurrency: batches },
  );

  /** Caches only entries as of the current sync: a reorg may undo later changes without any sync having seen them. */
  function cacheWriter(entryChanges: EntryChanges) {
    const { syncCount, chains } = entryChanges;
    return (row: ListEntryRow, entry: SerializedEntry) => {
      const chain = chains.get(row.chain_id);
      if (chain === undefined || chain.written !== row.as_of) return;
      const until = row.windows_until === null ? Number.POSITIVE_INFINITY : Number(row.windows_until);
      cache.set(row.id, {
        changes: entryChanges,
        syncCount,
        chainId: row.chain_id,
        entry,
        from: chain.timestamp,
        until,
      });
    };
  }

  function findValid(id: number, entryChanges: EntryChanges): PageRow | undefined {
    const cached = cache.get(id);
    if (cached?.changes !== entryChanges || entryChanges.hasChanged(id, cached.syncCount)) return undefined;
    const chain = entryChanges.chains.get(cached.chainId);
    if (chain === undefined || chain.timestamp < cached.from || chain.timestamp >= cached.until)
      return undefined;
    if ((chain.rate !== null) !== cached.entry.hasRate) return undefined;
    return chain.rate === null ? cached.entry.row : cached.entry.at(chain.rate);
  }

  return async (ids: number[]): Promise<Map<number, PageRow>> => {
    const entryChanges = changes();
    if (entryChanges === undefined) return await load(ids);
    const rows = new Map<number, PageRow>();
    const missing: number[] = [];
    for (const id of ids) {
      const row = findValid(id, entryChanges);
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

type Amounts = Pick<EntryRow, "price_bnb_x36" | "total_supply_raw" | "liquidity_wei">;

/**
 * An entry as the bytes of its JSON. It is serialized and hashed once, since pages are assembled from it much more often. A new
 * BNB/USD rate replaces only the part that depends on it.
 */
class SerializedEntry {
  /** Without the USD values at the current rate, and without the closing brace if they follow. */
  readonly #lasting: Buffer;
  readonly #tag: string;
  readonly #amounts: Amounts;
  #rate: string | null;
  #row: PageRow;

  constructor({ bnb_usd_x8, ...row }: EntryRow, baseUrl: string) {
    const { price_bnb_x36, total_supply_raw, liquidity_wei } = row;
    this.#amounts = { price_bnb_x36, total_supply_raw, liquidity_wei };
    const text = JSON.stringify(toEntryWithoutUsd({ ...row, bnb_usd_x8 }, baseUrl));
    this.#lasting = toBytes(bnb_usd_x8 === null ? text : text.slice(0, -1));
    this.#tag = hash("sha1", this.#lasting, "base64url");
    this.#rate = bnb_usd_x8;
    this.#row = this.#make();
  }

  /** Approximate bytes in memory. */
  get bytes(): number {
    return this.#row.parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether the entry has USD values. */
  get hasRate(): boolean {
    return this.#rate !== null;
  }

  /** The entry at the last rate passed to {@link at}. */
  get row(): PageRow {
    return this.#row;
  }

  /** Returns the entry with its USD values at a rate. */
  at(rate: string): PageRow {
    if (rate !== this.#rate) {
      this.#rate = rate;
      this.#row = this.#make();
    }
    return this.#row;
  }

  #make(): PageRow {
    if (this.#rate === null) return { parts: [this.#lasting], tag: this.#tag };
    const usd = JSON.stringify(toUsdFields({ ...this.#amounts, bnb_usd_x8: this.#rate }));
    return { parts: [this.#lasting, toBytes(`,${usd.slice(1)}`)], tag: `${this.#tag}${this.#rate}` };
  }
}

/** Allocates memory of its own: small buffers of `Buffer.from` share a pool, which stays in memory as long as any of them. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
