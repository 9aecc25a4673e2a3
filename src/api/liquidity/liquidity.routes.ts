import { createRoute, z } from "@hono/zod-openapi";
import { amount, decimal, eventId, jsonAnswers, lowercaseAddress, txHash } from "../http/answer.schema.ts";
import { liquidityCursor } from "../http/cursor.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, cursor, limit, minBlock, mintParameter, nextCursor } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";

const liquidityChange = z
  .object({
    id: eventId,
    mint: lowercaseAddress.openapi({ description: "The token's contract address." }),
    chainId: z.int(),
    pair: lowercaseAddress.openapi({ description: "The DEX pair." }),
    provider: lowercaseAddress.openapi({
      description:
        "The account whose tokens were added, or that got the removed ones; the launchpad for what it added at graduation.",
    }),
    kind: z
      .enum(["add", "remove"])
      .openapi({ description: "`add`: BNB and tokens went into the pair. `remove`: they came out of it." }),
    bnbAmountWei: amount("Wei added or removed."),
    amountBnb: decimal("The same in BNB."),
    tokenAmountRaw: amount("Base units (18 decimals) added or removed."),
    bnbReservesWei: amount("Wei in the pair after the change."),
    reservesBnb: decimal("The same in BNB."),
    tokenReservesRaw: amount("Base units (18 decimals) in the pair after the change."),
    block: z.int(),
    timestamp: z.iso.datetime().openapi({ description: "The time of the block." }),
    tx: txHash,
    logIndex: z.int().min(0).openapi({
      description: "The log index of the event: the pair's Mint or Burn, or the launchpad's Graduated.",
    }),
  })
  .openapi("LiquidityChange");

export type LiquidityChange = z.input<typeof liquidityChange>;

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
    query: z.object({ limit, cursor: cursor(liquidityCursor), chainId, minBlock }),
  },
  responses: {
    ...jsonAnswers("A page of changes, newest first.", tokenLiquidity),
    ...problems({
      400: "A parameter is wrong.",
      404: "The index has no such token (yet), or the chain is not indexed here.",
      503: "The database is unavailable.",
    }),
  },
});
