import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, cursor, limit, minBlock, mintParameter, nextCursor } from "../http/parameters.schema.ts";
import { problems, tokenProblems } from "../http/problem.schema.ts";
import { liquidityChange } from "./liquidity-change.schema.ts";

const tokenLiquidity = z
  .object({ mint: z.string(), chainId: z.int(), liquidity: z.array(liquidityChange), nextCursor })
  .openapi("TokenLiquidity");

export type TokenLiquidity = z.input<typeof tokenLiquidity>;

export const liquidityRoute = createRoute({
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
