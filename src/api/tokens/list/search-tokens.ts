import type { Context } from "hono";
import type { ListSemaphores } from "../../concurrency/read-lanes.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { type CompactTokenRow, readCompactTokens } from "./compact-tokens.query.ts";
import type { Listing, ListQuery } from "./order/listing.ts";
import { toOrder } from "./order/sorts.ts";

type SearchDeps = {
  db: PooledDatabase;
  listing: Listing;
  semaphores: Pick<ListSemaphores, "searchSemaphore">;
};

/** Finds listed tokens for other features: those with the highest volume in the last 24 hours first. */
export function createSearchTokens({ db, listing, semaphores }: SearchDeps) {
  const order = toOrder("volume", "24h");

  return async (
    c: Context,
    query: Pick<ListQuery, "chainId" | "query" | "limit">,
  ): Promise<CompactTokenRow[]> => {
    const list = await listing.sync({ order });
    const limitSearches = semaphores.searchSemaphore(c);
    const { ids } = await listing.page({ ...query, board: "all", order, page: 1 }, list, limitSearches);
    const found = await limitSearches(() => readCompactTokens(db, ids));
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  };
}
