import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { withEtag } from "../../http/etag.ts";
import { address, chainId, minBlock, wholeNumber } from "../../http/parameters.schema.ts";
import { problems } from "../../http/problem.schema.ts";
import { asset, block, joinOrExit, pair, swap } from "./dexscreener.schema.ts";

/** How many blocks one request for events may span. */
export const maxBlockRange = 10_000;

const assetId = address.openapi({
  description: "The address of a launched token, or of WBNB.",
});
const pairId = address.openapi({ description: "The address of a launched token or of its DEX pair." });
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
const problemDescriptions = {
  400: "A parameter is wrong.",
  404: "The chain is not indexed.",
  503: "The database is unavailable, or nothing is indexed yet.",
};
const unavailable =
  "The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read.";

export const latestBlockRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/latest-block",
  operationId: "getDexScreenerLatestBlock",
  tags,
  summary: "DEX Screener adapter: the last final block, up to which events are available.",
  description:
    "Implements DEX Screener's adapter specification, with the base URL `/api/dexscreener`. Covers final blocks only, which no reorg can revert. On a quiet chain this is the last block with an event.",
  middleware: withEtag(),
  request: { query: z.object({ chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The block.", latestBlock),
    ...problems(problemDescriptions),
  },
});

export const assetRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/asset",
  operationId: "getDexScreenerAsset",
  tags,
  summary: "DEX Screener adapter: a launched token, or WBNB.",
  description: "As of the last final block.",
  middleware: withEtag(),
  request: { query: z.object({ id: assetId, chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The asset.", assetAnswer),
    ...problems({
      ...problemDescriptions,
      404: "There is no such token in a final block.",
      503: unavailable,
    }),
  },
});

export const pairRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/pair",
  operationId: "getDexScreenerPair",
  tags,
  summary: "DEX Screener adapter: a token's bonding curve or its DEX pair.",
  description: "As of the last final block.",
  middleware: withEtag(),
  request: { query: z.object({ id: pairId, chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The pair.", pairAnswer),
    ...problems({
      ...problemDescriptions,
      404: "No token with this address was launched, and none graduated to it, in a final block.",
      503: unavailable,
    }),
  },
});

export const eventsRoute = createRoute({
  method: "get",
  path: "/api/dexscreener/events",
  operationId: "getDexScreenerEvents",
  tags,
  summary: "DEX Screener adapter: every swap, join and exit in a range of blocks.",
  description: `At most ${maxBlockRange} blocks, both ends inclusive; all of their events, in chain order. A range that goes beyond the last final block is refused, never truncated. Trades of zero tokens or zero BNB have no price and are left out. Curves have neither joins nor exits; the first join of a DEX pair is its graduation.`,
  request: {
    query: z.object({
      fromBlock: blockNumber("The first block."),
      toBlock: blockNumber("The last block. Not above the one of latest-block."),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The events.", events),
    ...problems({
      ...problemDescriptions,
      400: "A parameter is wrong, or the range is too large.",
      409: "Some of the blocks are not final yet. The detail names the last final one.",
    }),
  },
});
