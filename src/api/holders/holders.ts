import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/unknown-token.ts";
import type { Database } from "../database/database.ts";
import { invalidParameter } from "../http/invalid-parameter.ts";
import { createRouter } from "../http/router.ts";
import { toRisk } from "../market/risk.mapper.ts";
import { toHolder } from "./holder.mapper.ts";
import { readHolders, readTokenSupply } from "./holders.query.ts";
import { type Holders, holdersRoute, maxRank } from "./holders.routes.ts";

export function createHolders({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter().openapi(holdersRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { page, limit, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const offset = (page - 1) * limit;
    if (offset + limit > maxRank) {
      throw invalidParameter(
        "page",
        `times limit must not exceed ${maxRank}: GraphQL's holders can be paged without this limit`,
      );
    }
    const [token, rows] = await Promise.all([
      readTokenSupply(db, chain.id, mint),
      // One row more than the page, to know whether there is a next page.
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
      hasMore: rows.length > limit && offset + 2 * limit <= maxRank,
    };
    return c.json(body, 200);
  });
}
