import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { type KeysetPosition, liquidityCursor, paginate } from "../http/cursor.ts";
import { createRouter } from "../http/router.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { type LiquidityRow, readLiquidity } from "./liquidity.query.ts";
import { liquidityRoute, type TokenLiquidity } from "./liquidity.routes.ts";
import { toLiquidityChange } from "./liquidity-change.mapper.ts";

export function createLiquidity({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter().openapi(liquidityRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { limit, cursor, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const [token, found] = await Promise.all([
      readIndexedToken(db, chain.id, mint),
      // One more than the page, to know whether there is a next one.
      readLiquidity(db, { chainId: chain.id, mint, after: cursor, limit: limit + 1 }),
    ]);
    if (token === undefined) throw unknownToken(mint, chain.id);
    const { rows, nextCursor } = paginate(found, limit, liquidityCursor, changePosition);
    const body: TokenLiquidity = {
      mint,
      chainId: chain.id,
      liquidity: rows.map(toLiquidityChange),
      nextCursor,
    };
    return c.json(body, 200);
  });
}

/** The keyset position of a change in a token's changes, newest first. */
function changePosition({ timestamp, id }: LiquidityRow): KeysetPosition {
  return { first: String(timestamp), second: id };
}
