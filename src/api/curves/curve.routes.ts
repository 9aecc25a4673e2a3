import { createRoute, z } from "@hono/zod-openapi";
import { checkpointBlock } from "../../../config/parse.ts";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { amount, jsonAnswers, usd } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import {
  addressMessage,
  addressPattern,
  chainId,
  minBlock,
  mintParameter,
  toLowerHex,
} from "../http/parameters.schema.ts";
import { chainProblems, problems, tokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { formatPrice, priceInUsd } from "../market/price.ts";
import { type CurveRow, readCurve, readCurveProgress } from "./curves.query.ts";

const progress = z.number().min(0).max(100).openapi({
  description: "Percent of totalToSell that has been sold, up to 4 decimals. 100 if and only if graduated.",
});

const curve = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    virtualBnbReserves: amount(
      "Wei. On the curve the price is virtualBnbReserves / virtualTokenReserves; after graduation it is the DEX price.",
    ),
    virtualTokenReserves: amount("Base units (18 decimals)."),
    realTokenReserves: amount("Base units left to buy on the curve."),
    tokensSold: amount("Base units sold on the curve."),
    totalToSell: amount("Base units that the curve sells before the token graduates."),
    burnPercent: z.int().openapi({ description: "Percent of the supply burned at launch." }),
    progress,
    graduated: z.boolean(),
    reservesAreFinal: z.boolean().openapi({
      description:
        "True once graduated: the reserves and tokensSold stay as they were when the curve ended, and priceBnb is the live price of the DEX pair.",
    }),
    pair: z.string().nullable().openapi({ description: "The DEX pair, once graduated." }),
    priceBnb: z.string().openapi({
      description: "BNB for one token after the last trade, on the curve or, once graduated, on the DEX.",
    }),
    priceUsd: usd("priceBnb at the BNB/USD feed's last answer."),
    block: z.int().openapi({ description: "The chain's last indexed block: the state is as of this block." }),
  })
  .openapi("Curve");

export type Curve = z.input<typeof curve>;

const curveRoute = createRoute({
  method: "get",
  path: "/api/curve/{mint}",
  operationId: "getCurve",
  tags: ["Curves"],
  summary: "The bonding curve of a token: reserves, tokens sold, progress, graduation.",
  description: "For every token that the factory created, registered or not, as of the last indexed block.",
  middleware: withEtag(),
  request: { params: mintParameter, query: z.object({ chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The curve.", curve),
    ...problems(tokenProblems),
  },
});

const curveProgress = z
  .object({
    curves: z.record(z.string(), z.object({ progress, graduated: z.boolean() })),
    missing: z.array(z.string()).openapi({
      description: "The mints that the index does not have (yet), spelled as in the request.",
    }),
  })
  .openapi("CurveProgress");

export type CurveProgress = z.input<typeof curveProgress>;

const maxMints = 100;

const curvesRoute = createRoute({
  method: "get",
  path: "/api/curves",
  operationId: "getCurves",
  tags: ["Curves"],
  summary: `Progress of up to ${maxMints} curves at once.`,
  description: "Mints that the index does not have are listed in `missing`; they are not an error.",
  middleware: withEtag(),
  request: {
    query: z.object({
      mints: z
        .string({ error: "is missing: give mint addresses, separated by commas" })
        .refine((text) => text.trim() !== "", {
          message: "is empty: give mint addresses, separated by commas",
          abort: true,
        })
        .transform((text) => text.split(",").map((mint) => mint.trim()))
        .pipe(
          z
            .array(z.string().regex(addressPattern, addressMessage))
            .max(maxMints, `must be at most ${maxMints} mints: ask for the rest in another request`),
        )
        .openapi({
          type: "string",
          description: `Up to ${maxMints} mint addresses, separated by commas.`,
          example: "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe",
        }),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The curves by mint, spelled as in the request.", curveProgress),
    ...problems(chainProblems),
  },
});

export function createCurve({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter()
    .openapi(curveRoute, async (c) => {
      const { mint } = c.req.valid("param");
      const chain = chains.choose(c.req.valid("query").chainId);
      const row = await readCurve(db, chain.id, mint);
      if (row === undefined) throw unknownToken(mint, chain.id);
      return c.json(toCurve(row), 200);
    })
    .openapi(curvesRoute, async (c) => {
      const { mints, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const curves = await readCurveProgress(db, chain.id, mints.map(toLowerHex));
      const byMint = new Map<string, CurveProgress["curves"][string]>(
        curves.map(({ token, ...progress }) => [token, progress]),
      );
      const requested = [...new Set(mints)];
      const body: CurveProgress = {
        curves: Object.fromEntries(
          requested.flatMap((mint) => {
            const curve = byMint.get(mint.toLowerCase());
            return curve === undefined ? [] : [[mint, curve]];
          }),
        ),
        missing: requested.filter((mint) => !byMint.has(mint.toLowerCase())),
      };
      return c.json(body, 200);
    });
}

function toCurve({ curve, latestCheckpoint, bnbUsdX8 }: CurveRow): Curve {
  return {
    mint: curve.token,
    chainId: curve.chainId,
    virtualBnbReserves: String(curve.virtualBnbReserves),
    virtualTokenReserves: String(curve.virtualTokenReserves),
    realTokenReserves: String(curve.realTokenReserves),
    tokensSold: String(curve.tokensSold),
    totalToSell: String(curve.totalToSell),
    burnPercent: curve.burnPercent,
    progress: curve.progress,
    graduated: curve.graduated,
    reservesAreFinal: curve.graduated,
    pair: curve.pair,
    priceBnb: formatPrice(curve.priceBnbX36),
    ...priceInUsd(curve.priceBnbX36, bnbUsdX8),
    block: checkpointBlock(latestCheckpoint),
  };
}
