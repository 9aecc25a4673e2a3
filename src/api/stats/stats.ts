import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/nothing-indexed.ts";
import type { Database } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { toStats } from "./stats.mapper.ts";
import { readStats } from "./stats.query.ts";
import { statsRoute } from "./stats.routes.ts";

export type StatsDeps = {
  chains: Chains;
  db: Database;
  /** How many registered tokens of a chain are in the list. */
  countListed: (chainId: number) => Promise<number>;
};

export function createStats({ chains, db, countListed }: StatsDeps) {
  return createRouter().openapi(statsRoute, async (c) => {
    const { id: chainId } = chains.choose(c.req.valid("query").chainId);
    const [row, registered] = await Promise.all([readStats(db, chainId), countListed(chainId)]);
    if (row === undefined) throw nothingIndexed(chainId);
    return c.json(toStats(row, { chainId, registered }), 200);
  });
}
