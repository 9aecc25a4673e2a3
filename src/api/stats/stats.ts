import type { Chains } from "../chain/chains.ts";
import type { Database } from "../database/database.ts";
import { freshJson } from "../http/etag.ts";
import { nothingIndexed } from "../chain/nothing-indexed.ts";
import { createRouter } from "../http/router.ts";
import type { Listing } from "../tokens/list/order/listing.ts";
import { toStats } from "./stats.mapper.ts";
import { readStats } from "./stats.query.ts";
import { statsRoute } from "./stats.routes.ts";

export type StatsDeps = { chains: Chains; db: Database; listing: Listing };

export function createStats({ chains, db, listing }: StatsDeps) {
  /** The list knows how many it has. */
  const countListed = async (chainId: number): Promise<number> => {
    const { total } = await listing.page({ chainId, board: "all", sort: "newest", page: 1, limit: 1 });
    return total;
  };

  return createRouter().openapi(statsRoute, async (c) => {
    const { id: chainId } = chains.choose(c.req.valid("query").chainId);
    const [row, registered] = await Promise.all([readStats(db, chainId), countListed(chainId)]);
    if (row === undefined) throw nothingIndexed(chainId);
    return freshJson(c, toStats(row, { chainId, registered }));
  });
}
