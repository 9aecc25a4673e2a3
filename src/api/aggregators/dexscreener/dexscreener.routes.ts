import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { revalidated } from "../../http/etag.ts";
import { decimal } from "../../http/field.schema.ts";
import { address, chainId, minBlock, wholeNumber } from "../../http/parameters.schema.ts";
import { problems } from "../../http/problem.schema.ts";

/** How many blocks one request for events may span. */
export const mostBlocks = 10_000;

const checksummed = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .openapi({ description: `${description} With checksum, as ids are case-sensitive in this format.` });
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
        "Never empty: without control, zero-width and bidirectional characters, trimmed, and where nothing to be seen is left the symbol, then the shortened address.",
    }),
    symbol: z.string().min(1).openapi({ description: "Never empty, in the same way." }),
    totalSupply: decimal("Whole tokens, as of the last final block. Left out for WBNB.").optional(),
  })
  .openapi("DexScreenerAsset");

export type Asset = z.input<typeof asset>;

const pair = z
  .object({
    id: checksummed("The token's address for its bonding curve, the pair's for its DEX pair."),
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
      .openapi({ description: "0 for a curve. Left out for a DEX pair, whose contracts do not tell." }),
    metadata: metadata.optional().openapi({ description: "`name`: the pair's name, never empty." }),
  })
  .openapi("DexScreenerPair");

export type Pair = z.input<typeof pair>;

const swap = z
  .object({
    block,
    eventType: z.literal("swap"),
    txnId: z.string(),
    txnIndex: z.int().min(0),
    eventIndex: z.int().min(0).openapi({ description: "The log's index in its block." }),
    maker: checksummed("The trader; on the DEX the account that sent the transaction."),
    pairId: checksummed("Of the curve or the pair that it took place on."),
    asset0In: decimal("Whole tokens sold.").optional(),
    asset1In: decimal("BNB paid.").optional(),
    asset0Out: decimal("Whole tokens bought.").optional(),
    asset1Out: decimal("BNB received.").optional(),
    priceNative: decimal(
      "BNB per token that this swap paid on average, with up to 50 decimals, rounded down. Never 0.",
    ),
    reserves: z.object({ asset0: decimal("Whole tokens."), asset1: decimal("BNB.") }).openapi({
      description:
        "After the swap: those of the pair, or the curve's virtual ones, as its Trade event tells them. Their ratio is the price after it.",
    }),
  })
  .openapi("DexScreenerSwap");

export type Swap = z.input<typeof swap>;

const assetId = address.openapi({
  description: "The address of a launched token, or of WBNB.",
});
const pairId = address.openapi({ description: "The address of a launched token, or of its DEX pair." });
const blockNumber = (description: string) =>
  wholeNumber(0, 9_999_999_999).openapi({ type: "integer", minimum: 0, description });

const latestBlock = z.object({ block }).openapi("DexScreenerLatestBlock");
const assetAnswer = z.object({ asset }).openapi("DexScreenerAssetAnswer");
const pairAnswer = z.object({ pair }).openapi("DexScreenerPairAnswer");
const events = z.object({ events: z.array(swap) }).openapi("DexScreenerEvents");

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
  summary: "DEX Screener adapter: every swap of a range of blocks.",
  description: `Both blocks included, at most ${mostBlocks} blocks, in the order of the chain, however many there are. A range that reaches beyond the last final block is refused, never cut. Trades without a price, of no tokens or no BNB, are left out.`,
  request: {
    query: z.object({
      fromBlock: blockNumber("The first block."),
      toBlock: blockNumber("The last block. Not above that of latest-block."),
      chainId,
      minBlock,
    }),
  },
  responses: {
    ...jsonAnswers("The swaps.", events),
    ...problems({
      ...failures,
      400: "A parameter is wrong, or the range too large.",
      409: "Not all of the blocks are final. The detail names the last that is.",
    }),
  },
});
