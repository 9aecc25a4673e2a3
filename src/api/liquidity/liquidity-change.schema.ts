import { z } from "@hono/zod-openapi";
import { amount, decimal, eventId, lowercaseAddress, txHash } from "../http/answer.schema.ts";
import { chainEventId } from "../market/event-id.ts";
import { formatAmount } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { LiquidityRow } from "./liquidity.query.ts";

export const liquidityChange = z
  .object({
    id: eventId,
    mint: lowercaseAddress.openapi({ description: "The token's contract address." }),
    chainId: z.int(),
    pair: lowercaseAddress.openapi({ description: "The DEX pair." }),
    provider: lowercaseAddress.openapi({
      description:
        "The account that the pair's liquidity tokens reached, or came from; the launchpad for what it added at graduation.",
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

/** Maps a liquidity change to its response. */
export function toLiquidityChange(row: LiquidityRow): LiquidityChange {
  return {
    id: chainEventId(row.chainId, row.id),
    mint: row.token,
    chainId: row.chainId,
    pair: row.pair,
    provider: row.provider,
    kind: row.kind,
    bnbAmountWei: String(row.bnbAmountWei),
    amountBnb: formatAmount(row.bnbAmountWei),
    tokenAmountRaw: String(row.tokenAmountRaw),
    bnbReservesWei: String(row.bnbReservesWei),
    reservesBnb: formatAmount(row.bnbReservesWei),
    tokenReservesRaw: String(row.tokenReservesRaw),
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.logIndex,
  };
}
