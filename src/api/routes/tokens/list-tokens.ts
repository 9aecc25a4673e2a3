import { LRUCache } from "lru-cache";
import type { Chains } from "../../lib/chains.ts";
import type { Database } from "../../lib/database.ts";
import { etagOf, jsonWithEtag } from "../../lib/etag.ts";
import { createRouter } from "../../lib/router.ts";
import type { Listing, ListQuery } from "../../listing/listing.ts";
import { toTokenEntry } from "../../mappers/token-entry.ts";
import { readEntries } from "../../queries/entries.ts";
import { listTokensRoute } from "./list-tokens.routes.ts";

export type ListTokensParts = {
  chains: Chains;
  db: Database;
  listing: Listing;
  /** Bytes of answers to keep while they are true; 0 for none. */
  cacheBytes: number;
};

type Answer = { stamp: string; body: string; etag: string };

export function createListTokens({ chains, db, listing, cacheBytes }: ListTokensParts) {
  const answers =
    cacheBytes === 0
      ? undefined
      : new LRUCache<string, Answer>({
          maxSize: cacheBytes,
          sizeCalculation: ({ body }) => 2 * body.length + 500,
        });

  async function makeAnswer(query: ListQuery): Promise<Answer> {
    const { ids, total, stamp } = await listing.page(query);
    const rows = new Map((await readEntries(db, ids)).map((row) => [row.id, row]));
    const tokens = ids.flatMap((id) => {
      // A reorg may have taken it since.
      const row = rows.get(id);
      return row === undefined ? [] : [toTokenEntry(row)];
    });
    const { page, limit } = query;
    const body = JSON.stringify({ tokens, total, page, limit, hasMore: page * limit < total });
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
