import { LRUCache } from "lru-cache";
import type { Chains } from "../../chain/chains.ts";
import { createTickBudget } from "../../concurrency/event-loop.ts";
import type { ListSemaphores } from "../../concurrency/read-lanes.ts";
import type { Semaphore } from "../../concurrency/semaphore.ts";
import type { Database, PooledDatabase } from "../../database/database.ts";
import { setIndexBlock } from "../../http/common-headers.ts";
import { refuseCursorWithPage } from "../../http/cursor.ts";
import { etagOf } from "../../http/etag.ts";
import { invalidParameter } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { type SharedJson, shareParts } from "../../http/shared-json.ts";
import { createEntryCache } from "./entry-cache.ts";
import { formatListCursor, hashListSelection } from "./list-cursor.ts";
import { defaultLimit, listTokensRoute, maxMints } from "./list-tokens.routes.ts";
import { readListedMints } from "./matching-registrations.query.ts";
import { type Listing, type ListPage, type ListQuery, type SyncedList, toFilters } from "./order/listing.ts";
import { boardOf, toOrder } from "./order/sorts.ts";
import { createPageRows, type PageRows, type RowForm } from "./page-rows.ts";
import type { AnyTokenPage } from "./token-page.schema.ts";

export type ListTokensDeps = {
  chains: Chains;
  db: PooledDatabase;
  listing: Listing;
  /** Where clients reach the service. */
  baseUrl: string;
  /** The most bytes of responses to cache while they are valid; 0 turns the cache off. */
  cacheBytes: number;
  semaphores: ListSemaphores;
};

/** The most bytes of unchanged entries to cache, in addition to responses. */
const entryBytes = 64 * 1_024 * 1_024;

/** A response, the version of the list it was made from, and the chain's last indexed block then. */
type Answer = { version: string; block: number | undefined; page: SharedJson<AnyTokenPage> };

/** What to list and in which form, limited to `mints` if there are any. */
type Query = Omit<ListQuery, "mint"> & RowForm & { mints: string[] };

type RequestSemaphores = { search: Semaphore; entries: Semaphore };

export function createListTokens({ chains, db, listing, baseUrl, cacheBytes, semaphores }: ListTokensDeps) {
  const { searchSemaphore, entrySemaphore, entryBatches, compactBatches } = semaphores;
  const answers =
    cacheBytes === 0
      ? undefined
      : new LRUCache<string, Answer>({
          maxSize: cacheBytes,
          sizeCalculation: ({ page }, key) => page.bytes + 2 * key.length + 500,
        });

  const yieldWhenSpent = createTickBudget({ budgetMs: 1 });

  const loadEntries = createEntryCache({
    db,
    changes: listing.entryChanges,
    baseUrl,
    bytes: entryBytes,
    batches: entryBatches,
  });
  const loadRows = createPageRows({ db, loadEntries, compactBatches });

  async function selectPage(
    { mints, ...query }: Query,
    list: SyncedList,
    semaphores: RequestSemaphores,
  ): Promise<ListPage> {
    if (mints.length <= 1) return await listing.page({ ...query, mint: mints[0] }, list, semaphores.search);
    return await semaphores.search(() => selectMintsPage({ db, listing }, { ...query, mints }));
  }

  async function makeAnswer(query: Query, list: SyncedList, semaphores: RequestSemaphores): Promise<Answer> {
    const { version, chains } = list.state;
    const { ids, total, page, next } = await selectPage(query, list, semaphores);
    const rows = await semaphores.entries(() => loadRows(query, ids));
    await yieldWhenSpent();
    const block = chains.find((chain) => chain.chainId === query.chainId)?.block;
    return {
      version,
      block,
      page: assemblePage(rows, {
        total,
        page,
        limit: query.limit,
        hasMore: next !== undefined,
        nextCursor: next === undefined ? null : formatListCursor(hashListSelection(query), next),
      }),
    };
  }

  return createRouter().openapi(listTokensRoute, async (c) => {
    const {
      q,
      typos,
      board,
      creator,
      mint: mints = [],
      chainId,
      minBlock: _,
      ...others
    } = c.req.valid("query");
    const { sort, window, page, cursor, limit, view, fields, ...filters } = others;
    const { minVolumeBnb, minNetVolumeBnb, ...conditions } = filters;
    if (view === "compact" && fields !== undefined) {
      throw invalidParameter("fields", "are of full entries: leave out either fields or view=compact");
    }
    if (window !== "24h" && sort !== "gainers" && sort !== "losers") {
      throw invalidParameter(
        "window",
        `is of sort=gainers and sort=losers alone: leave it out, since sort=${sort} has no other`,
      );
    }
    if (typos && q === undefined) {
      throw invalidParameter("typos", "is about q: leave out typos, or search for something");
    }
    refuseCursorWithPage({ cursor, page });
    const query = {
      view,
      fields,
      query: q,
      typos,
      board,
      creator,
      mints,
      order: toOrder(sort, window),
      conditions: { ...conditions, minVolume: minVolumeBnb, minNetVolume: minNetVolumeBnb },
      page: page ?? 1,
      after: cursor?.position,
      limit: limit ?? (mints.length > 1 ? maxMints : defaultLimit),
      chainId: chains.choose(chainId).id,
    };
    if (cursor !== undefined && cursor.selection !== hashListSelection(query)) {
      throw invalidParameter(
        "cursor",
        "is of a list with another sort or other filters: repeat those of its page, or start again without cursor",
      );
    }
    const key = JSON.stringify(query);
    const list = await listing.sync(query);
    const cached = answers?.get(key);
    const isFresh = cached?.version === list.state.version;
    const answer = isFresh
      ? cached
      : await makeAnswer(query, list, { search: searchSemaphore(c), entries: entrySemaphore(c) });
    if (!isFresh) answers?.set(key, answer);
    setIndexBlock(c, query.chainId, answer.block);
    return answer.page.send(c, "no-cache");
  });
}

const comma = Buffer.from(",");

/** The fields of a page besides its tokens. */
type PageInfo = {
  total: number;
  page: number;
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
};

/** Assembles a page from its serialized rows. Its ETag is derived from their tags. */
function assemblePage({ begin, rows }: PageRows, place: PageInfo): SharedJson<AnyTokenPage> {
  const start = `{${begin}"tokens":[`;
  const end = `],${JSON.stringify(place).slice(1)}`;
  const parts = rows.flatMap(({ parts }, index) => (index === 0 ? parts : [comma, ...parts]));
  return shareParts(
    [Buffer.from(start), ...parts, Buffer.from(end)],
    etagOf([start, ...rows.map(({ tag }) => tag), end].join("\n")),
  );
}

type MintsQuery = Omit<ListQuery, "mint" | "order"> & { mints: string[] };

/** Selects a page of the registrations of these mints, in the given order. Their positions begin with their index among the mints. */
async function selectMintsPage(
  { db, listing }: { db: Database; listing: Listing },
  { mints, chainId, board, query, typos, creator, conditions = {}, page, after, limit }: MintsQuery,
): Promise<ListPage> {
  const listed = await readListedMints(db, chainId, mints, toFilters({ chainId, query, typos, creator }));
  const onBoard = listed.filter((token) => board === "all" || boardOf(token) === board);
  const indexById = new Map(onBoard.map(({ mint, id }) => [id, mints.indexOf(mint)]));
  const indexOf = (id: number) => indexById.get(id) ?? 0;
  const listedIds = [...indexById.keys()].sort((left, right) => indexOf(left) - indexOf(right));
  const ids = await listing.filterByConditions(listedIds, conditions);
  const start = after === undefined ? (page - 1) * limit : ids.filter((id) => indexOf(id) <= after[0]).length;
  const onPage = ids.slice(start, start + limit);
  const last = onPage.at(-1);
  return {
    ids: onPage,
    total: ids.length,
    page: after === undefined ? page : 1 + Math.floor(start / limit),
    next: last === undefined || start + limit >= ids.length ? undefined : [indexOf(last), 0, 0, 0],
  };
}
