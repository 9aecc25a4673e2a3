import { createRoute, z } from "@hono/zod-openapi";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { Database } from "../database/database.ts";
import { jsonAnswers } from "../http/answer.schema.ts";
import { chainPosition, liquidityCursor, readPage } from "../http/cursor.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, cursor, limit, minBlock, mintParameter, nextCursor } from "../http/parameters.schema.ts";
import { problems, tokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { readLiquidity } from "./liquidity.query.ts";
import { liquidityChange, toLiquidityChange } from "./liquidity-change.schema.ts";

const tokenLiquidity = z
  .object({ mint: z.string(), chainId: z.int(), liquidity: z.array(liquidityChange), nextCursor })
  .openapi("TokenLiquidity");

type TokenLiquidity = z.input<typeof tokenLiquidity>;

const liquidityRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/liquidity",
  operationId: "getTokenLiquidity",
  tags: ["Market"],
  summary:
    "Liquidity added to and removed from a token's DEX pair, newest first, with the pair's reserves after each change.",
  description:
    "The oldest change is what the launchpad added at graduation, which nobody can withdraw; before graduation there are none. Follow `nextCursor` for older ones: no page repeats or skips a change, even if new ones come in meanwhile.",
  middleware: withEtag(),
  request: {
    params: mintParameter,
    query: z.object({ limit, cursor, chainId, minBlock }),
  },
  responses: {
    ...jsonAnswers("A page of changes, newest first.", tokenLiquidity),
    ...problems(tokenProblems),
  },
});

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
