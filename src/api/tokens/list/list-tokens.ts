import { LRUCache } from "lru-cache";
import type { Chains } from "../../chain/chains.ts";
import { createBatchLoader } from "../../concurrency/batch-loader.ts";
import { createListLanes } from "../../concurrency/read-lanes.ts";
import type { Turn } from "../../concurrency/share-fairly.ts";
import { spreadOverTicks } from "../../concurrency/spread-over-ticks.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { createRouter } from "../../http/router.ts";
import { setIndexBlock } from "../../http/set-index-block.ts";
import { type SharedJson, shareJson } from "../../http/shared-json.ts";
import { readEntries } from "../entry/entries.query.ts";
import { toTokenEntry } from "../entry/token-entry.mapper.ts";
import type { TokenEntry } from "../entry/token-entry.schema.ts";
import { listTokensRoute, type TokenPage } from "./list-tokens.routes.ts";
import type { Listing, ListQuery } from "./order/listing.ts";

export type ListTokensDeps = {
  chains: Chains;
  db: PooledDatabase;
  listing: Listing;
  /** Bytes of answers to keep while they are true; 0 for none. */
  cacheBytes: number;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Entries to read at a time: more would make all who wait for some of them wait long. */
const mostEntries = 1_000;
/** Entries to put together in one turn of the event loop. */
const entriesPerTick = 100;

/** An answer, the version of the list that it is of, and the chain's last indexed block then. */
type Answer = { version: string; block: number | undefined; page: SharedJson<TokenPage> };

/** The request's turns. */
type Turns = { search: Turn; entries: Turn };

export function createListTokens({ chains, db, listing, cacheBytes, trustedHops }: ListTokensDeps) {
  const { searchOf, entriesOf, entryBatches } = createListLanes({ trustedHops });
  const answers =
    cacheBytes === 0
      ? undefined
      : new LRUCache<string, Answer>({
          maxSize: cacheBytes,
          sizeCalculation: ({ page }) => page.bytes + 500,
        });

  const nextTick = spreadOverTicks();

  /** Entries by registration id. */
  const loadEntries = createBatchLoader(
    async (ids: number[]) => {
      const entries = new Map<number, TokenEntry>();
      for (const [index, row] of (await readEntries(db, ids)).entries()) {
        if (index % entriesPerTick === 0) await nextTick();
        entries.set(row.id, toTokenEntry(row));
      }
      return entries;
    },
    { most: mostEntries, running: entryBatches },
  );

  async function makeAnswer(query: ListQuery, turns: Turns): Promise<Answer> {
    const { ids, total, version, block } = await listing.page(query, turns.search);
    const entries = await turns.entries(() => loadEntries(ids));
    const { page, limit } = query;
    await nextTick();
    return {
      version,
      block,
      page: shareJson<TokenPage>({
        // A reorg may have taken one since.
        tokens: ids.map((id) => entries.get(id)).filter((entry) => entry !== undefined),
        total,
        page,
        limit,
        hasMore: page * limit < total,
      }),
    };
  }

  return createRouter().openapi(listTokensRoute, async (c) => {
    const { q, chainId, minBlock: _, ...rest } = c.req.valid("query");
    const query = { ...rest, query: q, chainId: chains.choose(chainId).id };
    const key = JSON.stringify(query);
    const known = answers?.get(key);
    const isFresh = known !== undefined && known.version === (await listing.version());
    const answer = isFresh ? known : await makeAnswer(query, { search: searchOf(c), entries: entriesOf(c) });
    if (!isFresh) answers?.set(key, answer);
    setIndexBlock(c, query.chainId, answer.block);
    return answer.page.send(c, "no-cache");
  });
}
