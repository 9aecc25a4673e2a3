import { LRUCache } from "lru-cache";
import type { Chains } from "../../chain/chains.ts";
import { createBatchLoader } from "../../concurrency/batch-loader.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { etagOf, jsonWithEtag } from "../../http/etag.ts";
import { createRouter } from "../../http/router.ts";
import { readEntries } from "../entry/entries.query.ts";
import { toTokenEntry } from "../entry/token-entry.mapper.ts";
import { listTokensRoute } from "./list-tokens.routes.ts";
import type { Listing, ListQuery } from "./order/listing.ts";

export type ListTokensDeps = {
  chains: Chains;
  db: PooledDatabase;
  listing: Listing;
  /** Bytes of answers to keep while they are true; 0 for none. */
  cacheBytes: number;
};

/** Entries to read at a time: more would make all who wait for some of them wait long. */
const mostEntries = 1_000;

type Answer = { stamp: string; body: string; etag: string };

export function createListTokens({ chains, db, listing, cacheBytes }: ListTokensDeps) {
  const answers =
    cacheBytes === 0
      ? undefined
      : new LRUCache<string, Answer>({
          maxSize: cacheBytes,
          sizeCalculation: ({ body }) => 2 * body.length + 500,
        });

  /** Entries as JSON, by registration id. */
  const entryTexts = createBatchLoader(async (ids: number[]) => {
    const rows = await readEntries(db, ids);
    return new Map(rows.map((row) => [row.id, JSON.stringify(toTokenEntry(row))]));
  }, mostEntries);

  async function makeAnswer(query: ListQuery): Promise<Answer> {
    const { ids, total, stamp } = await listing.page(query);
    const texts = await entryTexts(ids);
    // A reorg may have taken one since.
    const tokens = ids.map((id) => texts.get(id)).filter((text) => text !== undefined);
    const { page, limit } = query;
    const rest = JSON.stringify({ total, page, limit, hasMore: page * limit < total });
    const body = `{"tokens":[${tokens.join(",")}],${rest.slice(1)}`;
    return { stamp, body, etag: etagOf(body) };
  }

  return createRouter().openapi(listTokensRoute, async (c) => {
    const { q, chainId, ...rest } = c.req.valid("query");
    const query = { ...rest, query: q, chainId: chains.choose(chainId).id };
    const key = JSON.stringify(query);
    const known = answers?.get(key);
    const isTrue = known !== undefined && known.stamp === (await listing.stamp());
    const answer = isTrue ? known : await makeAnswer(query);
    if (!isTrue) answers?.set(key, answer);
    return jsonWithEtag(c, answer.body, answer.etag, "no-cache") as never;
  });
}
