import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { revalidated } from "../../http/etag.ts";
import { address, chainId, minBlock, wholeNumber } from "../../http/parameters.schema.ts";
import { problems } from "../../http/problem.schema.ts";
import { asset, block, joinOrExit, pair, swap } from "./dexscreener.schema.ts";

/** How many blocks one request for events may span. */
export const mostBlocks = 10_000;

const assetId = address.openapi({
  description: "The address of a launched token, or of WBNB.",
});
const pairId = address.openapi({ description: "The address of a launched token, or of its DEX pair." });
const blockNumber = (description: string) =>
  wholeNumber(0, 9_999_999_999).openapi({ type: "integer", minimum: 0, description });

const latestBlock = z.object({ block }).openapi("DexScreenerLatestBlock");
const assetAnswer = z.object({ asset }).openapi("DexScreenerAssetAnswer");
const pairAnswer = z.object({ pair }).openapi("DexScreenerPairAnswer");
const events = z.object({ events: z.array(z.union([swap, joinOrExit])) }).openapi("DexScreenerEvents");

export type LatestBlock = z.input<typeof latestBlock>;
export type AssetAnswer = z.input<typeof assetAnswer>;
export type PairAnswer = z.input<typeof pairAnswer>;
export type Events = z.input<typeof events>;

const tags = ["Aggregators"];
const failures = {
  400: "A parameter is wrong.",
  404: "The chain is not indexed.",
  503: "The database is away, or nothing is indexed yet.",
};
const noChain = "The database is away, nothing is indexed yet, or the chain does not tell its WBNB.";

export const latestBlockRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/latest-block",
  operationId: "getDexScreenerLatestBlock",
  tags,
  summary: "DEX Screener adapter: the last final block, up to which events are to be had.",
  description:
    "The adapter of DEX Screener's specification; its base URL is `/api/dexscreener`. It speaks of final blocks alone, which no reorg can take back. On a quiet chain that is the last one with an event.",
  middleware: revalidated(),
  request: { query: z.object({ chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The block.", latestBlock),
    ...problems(failures),
  },
});

export const assetRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/asset",
  operationId: "getDexScreenerAsset",
  tags,
  summary: "DEX Screener adapter: a launched token, or WBNB.",
  description: "As of the last final block.",
  middleware: revalidated(),
  request: { query: z.object({ id: assetId, chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The asset.", assetAnswer),
    ...problems({ ...failures, 404: "There is no such token in a final block.", 503: noChain }),
  },
});

export const pairRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/pair",
  operationId: "getDexScreenerPair",
  tags,
  summary: "DEX Screener adapter: a token's bonding curve, or its DEX pair.",
  description: "As of the last final block.",
  middleware: revalidated(),
  request: { query: z.object({ id: pairId, chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The pair.", pairAnswer),
    ...problems({
      ...failures,
      404: "No token was launched with this address, nor graduated to it, in a final block.",
      503: noChain,
    }),
  },
});

export const eventsRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/events",
  operationId: "getDexScreenerEvents",
  tags,
  summary: "DEX Screener adapter: every swap, join and exit of a range of blocks.",
  description: `Both blocks included, at most ${mostBlocks} blocks, in the order of the chain, however many there are. A range that reaches beyond the last final block is refused, never cut. Trades without a price, of no tokens or no BNB, are left out. Curves have neither joins nor exits; the first join of a DEX pair is its graduation.`,
  request: {
    query: z.object({
      fromBlock: blockNumber("The first block."),
      toBlock: blockNumber("The last block. Not above that of latest-block."),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The events.", events),
    ...problems({
      ...failures,
      400: "A parameter is wrong, or the range too large.",
      409: "Not all of the blocks are final. The detail names the last that is.",
    }),
  },
});
