import { z } from "@hono/zod-openapi";
import { decimal, usd } from "../http/answer.schema.ts";
import { tradeTotalsShape, windows } from "../market/market.schema.ts";

const count = z.int().min(0);

const day = z.object({
  day: z.iso.date().openapi({ description: "The day in UTC." }),
  ...tradeTotalsShape,
  tokensCreated: count,
  tokensGraduated: count,
});

export const days = z
  .object({
    chainId: z.int(),
    asOf: z.object({ block: z.int(), time: z.iso.datetime() }).openapi({
      description: "All values are as of this block. It is in the last day, which is not over yet.",
    }),
    days: z
      .array(day)
      .openapi({ description: "Oldest first, each day once, including those on which nothing happened." }),
  })
  .openapi("DailyStats");

export type Days = z.input<typeof days>;

export const stats = z
  .object({
    chainId: z.int(),
    asOf: z
      .object({ block: z.int(), time: z.iso.datetime() })
      .openapi({ description: "The chain's last indexed block. All values are as of this block." }),
    tokens: count.openapi({ description: "Tokens created." }),
    registeredTokens: count.openapi({ description: "Tokens in the list." }),
    graduatedTokens: count,
    inCurvesBnb: decimal(
      "BNB that the curves hold: what buyers paid, less what sellers got back and what graduations moved to the DEX.",
    ),
    inCurvesUsd: usd("inCurvesBnb in USD now."),
    ...tradeTotalsShape,
    bnbUsd: usd("USD for one BNB: the last answer of the BNB/USD feed."),
    bnbUsdAt: z.iso.datetime().optional().openapi({ description: "The time of that answer's block." }),
    windows: windows({ ...tradeTotalsShape, tokensCreated: count, tokensGraduated: count }),
  })
  .openapi("Stats");

export type Stats = z.input<typeof stats>;
