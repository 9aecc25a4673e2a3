import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/unknown-token.ts";
import type { Database } from "../database/database.ts";
import { invalidParameter } from "../http/invalid-parameter.ts";
import { createRouter } from "../http/router.ts";
import { toRisk } from "../market/risk.mapper.ts";
import { toHolder } from "./holder.mapper.ts";
import { readHolders, readTokenSupply } from "./holders.query.ts";
import { deepestRank, type Holders, holdersRoute } from "./holders.routes.ts";

export function createHolders({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter().openapi(holdersRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { page, limit, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const offset = (page - 1) * limit;
    if (offset + limit > deepestRank) {
      throw invalidParameter(
        "page",
        `times limit must not exceed ${deepestRank}: GraphQL's holders page through all of them`,
      );
    }
    const [token, rows] = await Promise.all([
      readTokenSupply(db, chain.id, mint),
      // One more than the page, to know whether there is a next one.
      readHolders(db, { chainId: chain.id, mint, offset, limit: limit + 1 }),
    ]);
    if (token === undefined) throw unknownToken(mint, chain.id);
    const { creator, holderCount, totalSupplyRaw } = token;
    const body: Holders = {
      mint,
      chainId: chain.id,
      holderCount,
      totalSupplyRaw: String(totalSupplyRaw),
      risk: toRisk(token, totalSupplyRaw),
      holders: rows
        .slice(0, limit)
        .map((row, index) => toHolder(row, offset + index + 1, { creator, totalSupplyRaw })),
      page,
      limit,
      hasMore: rows.length > limit && offset + 2 * limit <= deepestRank,
    };
    return c.json(body, 200);
  });
}
