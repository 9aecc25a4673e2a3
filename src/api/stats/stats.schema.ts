import { z } from "@hono/zod-openapi";
import { decimal, usd } from "../http/field.schema.ts";
import { tradeTotalsShape, windows } from "../market/market.schema.ts";

const count = z.int().min(0);

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
