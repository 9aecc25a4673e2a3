import { LRUCache } from "lru-cache";
import type { Chains } from "../../chain/chains.ts";
import { createListSemaphores } from "../../concurrency/read-lanes.ts";
import type { Semaphore } from "../../concurrency/semaphore.ts";
import { spreadOverTicks } from "../../concurrency/spread-over-ticks.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { invalidParameter } from "../../http/invalid-parameter.ts";
import { createRouter } from "../../http/router.ts";
import { setIndexBlock } from "../../http/set-index-block.ts";
import type { SharedJson } from "../../http/shared-json.ts";
import { createKeptEntries } from "./kept/kept-entries.ts";
import { listTokensRoute, usualLimit } from "./list-tokens.routes.ts";
import { mostMints } from "./mints/mints.schema.ts";
import { pageOfMints } from "./mints/page-of-mints.ts";
import type { Listing, ListLook, ListPage, ListQuery } from "./order/listing.ts";
import { orderOf } from "./order/sorts.ts";
import { pageOf } from "./page-bytes.ts";
import { createPageRows, type Form } from "./page-rows.ts";
import type { AnyTokenPage } from "./token-page.schema.ts";

export type ListTokensDeps = {
  chains: Chains;
  db: PooledDatabase;
  listing: Listing;
  /** Where clients reach the service. */
  baseUrl: string;
  /** Bytes of answers to keep while they are true; 0 for none. */
  cacheBytes: number;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Entries that have not changed are kept in this many bytes, in addition to answers. */
const entryBytes = 64 * 1_024 * 1_024;

/** An answer, the version of the list that it is of, and the chain's last indexed block then. */
type Answer = { version: string; block: number | undefined; page: SharedJson<AnyTokenPage> };

/** What to list, of these tokens if there are any, and in which form. */
type Query = Omit<ListQuery, "mint"> & Form & { mints: string[] };

/** The request's turns. */
type Turns = { search: Semaphore; entries: Semaphore };

export function createListTokens({ chains, db, listing, baseUrl, cacheBytes, trustedHops }: ListTokensDeps) {
  const {
    searchSemaphore: searchOf,
    entrySemaphore: entriesOf,
    entryBatches,
    compactBatches,
  } = createListSemaphores({ trustedHops });
  const answers =
    cacheBytes === 0
      ? undefined
      : new LRUCache<string, Answer>({
          maxSize: cacheBytes,
          sizeCalculation: ({ page }, key) => page.bytes + 2 * key.length + 500,
        });

  const nextTick = spreadOverTicks({ budgetMs: 1 });

  const loadEntries = createKeptEntries({
    db,
    changes: listing.entryChanges,
    baseUrl,
    bytes: entryBytes,
    batches: entryBatches,
  });
  const rowsOf = createPageRows({ db, loadEntries, compactBatches });

  async function selectPage({ mints, ...query }: Query, look: ListLook, turns: Turns): Promise<ListPage> {
    if (mints.length <= 1) return await listing.page({ ...query, mint: mints[0] }, look, turns.search);
    return await turns.search(() => pageOfMints({ db, listing }, { ...query, mints }));
  }

  async function makeAnswer(query: Query, look: ListLook, turns: Turns): Promise<Answer> {
    const { version, chains } = look.state;
    const { ids, total } = await selectPage(query, look, turns);
    const rows = await turns.entries(() => rowsOf(query, ids));
    const { page, limit } = query;
    await nextTick();
    const block = chains.find((chain) => chain.chainId === query.chainId)?.block;
    return { version, block, page: pageOf(rows, { total, page, limit, hasMore: page * limit < total }) };
  }

  return createRouter().openapi(listTokensRoute, async (c) => {
    const { q, chainId, mint: mints = [], limit, sort, window, minBlock: _, ...given } = c.req.valid("query");
    const { minVolumeBnb, minHolders, maxCreatorPercent, verified, ...rest } = given;
    if (rest.view === "compact" && rest.fields !== undefined) {
      throw invalidParameter("fields", "are of full entries: leave out either fields or view=compact");
    }
    const query = {
      ...rest,
      query: q,
      mints,
      order: orderOf(sort, window),
      conditions: { minVolume: minVolumeBnb, minHolders, maxCreatorPercent, verified },
      limit: limit ?? (mints.length > 1 ? mostMints : usualLimit),
      chainId: chains.choose(chainId).id,
    };
    const key = JSON.stringify(query);
    const look = await listing.look(query);
    const known = answers?.get(key);
    const isFresh = known?.version === look.state.version;
    const answer = isFresh
      ? known
      : await makeAnswer(query, look, { search: searchOf(c), entries: entriesOf(c) });
    if (!isFresh) answers?.set(key, answer);
    setIndexBlock(c, query.chainId, answer.block);
    return answer.page.send(c, "no-cache");
  });
}
