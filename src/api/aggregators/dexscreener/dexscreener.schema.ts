import { z } from "@hono/zod-openapi";
import { decimal } from "../../http/field.schema.ts";

const checksummed = (description: string) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .openapi({ description: `${description} Checksummed, as ids are case-sensitive in this format.` });
const metadata = z.record(z.string(), z.string());

export const block = z
  .object({
    blockNumber: z.int().min(0),
    blockTimestamp: z.int().min(0).openapi({ description: "Seconds since 1970." }),
  })
  .openapi("DexScreenerBlock");

export const asset = z
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

export const pair = z
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

export const swap = z
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

export const joinOrExit = z
  .object({
    ...place,
    eventType: z
      .enum(["join", "exit"])
      .openapi({ description: "`join`: liquidity was added to a DEX pair. `exit`: it was removed." }),
    maker: checksummed(
      "The account whose tokens were added, or that got the removed ones; the launchpad at graduation.",
    ),
    pairId: checksummed("The DEX pair."),
    amount0: decimal("Whole tokens added or removed."),
    amount1: decimal("BNB added or removed."),
    reserves: reserves("The pair's, after the join or exit."),
  })
  .openapi("DexScreenerJoinOrExit");

export type JoinOrExit = z.input<typeof joinOrExit>;
export type DexEvent = Swap | JoinOrExit;
