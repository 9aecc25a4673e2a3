import { createRoute, z } from "@hono/zod-openapi";
import { decimal, jsonAnswers } from "../../http/answer.schema.ts";
import { withEtag } from "../../http/etag.ts";
import { address, chainId, minBlock, wholeNumber } from "../../http/parameters.schema.ts";
import { chainProblems, problems } from "../../http/problem.schema.ts";

const checksummed = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .openapi({ description: `${description} Checksummed, as ids are case-sensitive in this format.` });
const metadata = z.record(z.string(), z.string());

const block = z
  .object({
    blockNumber: z.int().min(0),
    blockTimestamp: z.int().min(0).openapi({ description: "Seconds since 1970." }),
  })
  .openapi("DexScreenerBlock");

const asset = z
  .object({
    id: checksummed("The token's address, or WBNB's."),
    name: z.string().min(1).openapi({
      description:
        "Never empty: control, zero-width and bidirectional characters are removed and the rest is trimmed; if nothing visible is left, the symbol, else the shortened address.",
    }),
    symbol: z.string().min(1).openapi({ description: "Never empty, likewise." }),
    totalSupply: decimal("Whole tokens, as of the last final block. Left out for WBNB.").optional(),
  })
  .openapi("DexScreenerAsset");

export type Asset = z.input<typeof asset>;

const pair = z
  .object({
    id: checksummed("The token's address for a bonding curve, the pair's for a DEX pair."),
    dexKey: checksummed("The launchpad for a curve, the DEX's factory for a pair."),
    asset0Id: checksummed("Always the launched token."),
    asset1Id: checksummed("Always the chain's WBNB."),
    createdAtBlockNumber: z.int().min(0).optional(),
    createdAtBlockTimestamp: z.int().min(0).optional().openapi({ description: "Seconds since 1970." }),
    createdAtTxnId: z.string().optional(),
    creator: checksummed("The account that created the token.").optional(),
    feeBps: z
      .int()
      .min(0)
      .optional()
      .openapi({ description: "0 for a curve. Left out for a DEX pair, whose contracts don't expose it." }),
    metadata: metadata.optional().openapi({ description: "`name`: the pair's name, never empty." }),
  })
  .openapi("DexScreenerPair");

export type Pair = z.input<typeof pair>;

const place = {
  block,
  txnId: z.string(),
  txnIndex: z.int().min(0),
  eventIndex: z.int().min(0).openapi({ description: "The log's index in its block." }),
};
const reserves = (description: string) =>
  z.object({ asset0: decimal("Whole tokens."), asset1: decimal("BNB.") }).openapi({ description });

const swap = z
  .object({
    ...place,
    eventType: z.literal("swap"),
    maker: checksummed("The trader."),
    pairId: checksummed("The curve or the pair that it took place on."),
    asset0In: decimal("Whole tokens sold.").optional(),
    asset1In: decimal("BNB paid.").optional(),
    asset0Out: decimal("Whole tokens bought.").optional(),
    asset1Out: decimal("BNB received.").optional(),
    priceNative: decimal(
      "The swap's average price in BNB per token, with up to 50 decimals, rounded down. Never 0.",
    ),
    reserves: reserves(
      "After the swap: the pair's, or the curve's virtual ones from its Trade event. Their ratio is the price after the swap.",
    ),
  })
  .openapi("DexScreenerSwap");

export type Swap = z.input<typeof swap>;

const joinOrExit = z
  .object({
    ...place,
    eventType: z
      .enum(["join", "exit"])
      .openapi({ description: "`join`: liquidity was added to a DEX pair. `exit`: it was removed." }),
    maker: checksummed(
      "The account that the pair's liquidity tokens reached, or came from; the launchpad at graduation.",
    ),
    pairId: checksummed("The DEX pair."),
    amount0: decimal("Whole tokens added or removed."),
    amount1: decimal("BNB added or removed."),
    reserves: reserves("The pair's, after the join or exit."),
  })
  .openapi("DexScreenerJoinOrExit");

export type JoinOrExit = z.input<typeof joinOrExit>;
export type DexEvent = Swap | JoinOrExit;

/** How many blocks one request for events may span. */
export const maxBlockRange = 10_000;

const assetId = address.openapi({
  description: "The address of a launched token, or of WBNB.",
});
const pairId = address.openapi({ description: "The address of a launched token or of its DEX pair." });
const blockNumber = (description: string) => wholeNumber(0, 9_999_999_999).openapi({ description });

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
  ...chainProblems,
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
