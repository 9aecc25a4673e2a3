import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { chainPosition, liquidityCursor, readPage } from "../http/cursor.ts";
import { createRouter } from "../http/router.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { readLiquidity } from "./liquidity.query.ts";
import { liquidityRoute, type TokenLiquidity } from "./liquidity.routes.ts";
import { toLiquidityChange } from "./liquidity-change.mapper.ts";

export function createLiquidity({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter().openapi(liquidityRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const query = c.req.valid("query");
    const chain = chains.choose(query.chainId);
    const of = { chainId: chain.id, mint };
    const [token, { rows, nextCursor }] = await Promise.all([
      readIndexedToken(db, chain.id, mint),
      readPage(query, liquidityCursor(of), chainPosition, (page) => readLiquidity(db, { ...of, ...page })),
    ]);
    if (token === undefined) throw unknownToken(mint, chain.id);
    const body: TokenLiquidity = {
      mint,
      chainId: chain.id,
      liquidity: rows.map(toLiquidityChange),
      nextCursor,
    };
    return c.json(body, 200);
  });
}
