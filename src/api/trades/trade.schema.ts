import { z } from "@hono/zod-openapi";
import { priceBnbX36, toUsd } from "../../domain/price.ts";
import { amount, decimal, eventId, hidden, lowercaseAddress, txHash, usd } from "../http/answer.schema.ts";
import { chainEventId } from "../market/event-id.ts";
import { formatAmount, formatPrice, formatRate } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { NamedTradeRow, TradeRow } from "../market/trades.query.ts";

/** The fields of every trade. */
const tradeFields = {
  id: eventId,
  mint: lowercaseAddress.openapi({ description: "The token's contract address." }),
  chainId: z.int(),
  trader: lowercaseAddress.openapi({
    description:
      "The account that the bought tokens reached, or that the sold ones came from, in the transaction.",
  }),
  venue: z
    .enum(["curve", "dex"])
    .openapi({ description: "The bonding curve or, after graduation, the DEX." }),
  side: z.enum(["buy", "sell"]).openapi({ description: "`buy`: tokens for BNB. `sell`: BNB for tokens." }),
  bnbAmountWei: amount("Wei that the trader paid or received."),
  tokenAmountRaw: amount("Base units (18 decimals) that the trader received or sold."),
  priceBnb: decimal("BNB for one token, on average of this trade; 0 if no tokens moved."),
  priceAfterBnb: decimal("BNB for one token after this trade: bnbReservesWei / tokenReservesRaw."),
  bnbReservesWei: amount(
    "Wei after this trade: the curve's virtual BNB reserve (so you need no curve maths), or the DEX pair's.",
  ),
  tokenReservesRaw: amount("Base units after this trade, like bnbReservesWei."),
  block: z.int(),
  timestamp: z.iso.datetime().openapi({ description: "The time of the block." }),
  tx: txHash,
  logIndex: z.int().min(0).openapi({ description: "The event's log index in its block." }),
  amountUsd: usd("What bnbAmountWei was worth in USD at the time of the trade."),
  priceUsd: usd("priceBnb in USD at the time of the trade."),
  priceAfterUsd: usd("priceAfterBnb in USD at the time of the trade."),
  bnbUsd: usd("USD for one BNB at the time of the trade."),
};

export const trade = z.object(tradeFields).openapi("Trade");

export type Trade = z.input<typeof trade>;

/** A trade in a list of several tokens' trades. */
export const namedTrade = z
  .object({
    ...tradeFields,
    name: z.string().openapi({ description: "The token's name. Untrusted text." }),
    symbol: z.string().openapi({ description: "The token's symbol. Untrusted text." }),
    hidden,
  })
  .openapi("NamedTrade");

export type NamedTrade = z.input<typeof namedTrade>;

/** Maps a trade to its response. USD fields are left out if no rate was known at its time. */
export function toTrade(row: TradeRow): Trade {
  const after = priceBnbX36(row.bnbReservesWei, row.tokenReservesRaw);
  return {
    id: chainEventId(row.chainId, row.id),
    mint: row.token,
    chainId: row.chainId,
    trader: row.trader,
    venue: row.venue,
    side: row.side,
    bnbAmountWei: String(row.bnbAmountWei),
    tokenAmountRaw: String(row.tokenAmountRaw),
    priceBnb: formatPrice(row.priceBnbX36),
    priceAfterBnb: formatPrice(after),
    bnbReservesWei: String(row.bnbReservesWei),
    tokenReservesRaw: String(row.tokenReservesRaw),
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.logIndex,
    ...inUsd(row, after),
  };
}

/** Maps a trade with its token's name and symbol, which are untrusted text, and whether the token is hidden. */
export function toNamedTrade(row: NamedTradeRow): NamedTrade {
  const { name, symbol, isHidden } = row;
  return { ...toTrade(row), name, symbol, ...(isHidden ? { hidden: true as const } : {}) };
}

type UsdFields = Pick<Trade, "amountUsd" | "priceUsd" | "priceAfterUsd" | "bnbUsd">;

function inUsd({ bnbUsdX8, bnbAmountWei, priceBnbX36 }: TradeRow, afterBnbX36: bigint): UsdFields {
  if (bnbUsdX8 === null) return {};
  const usd = (bnb: bigint) => String(toUsd(bnb, bnbUsdX8));
  return {
    amountUsd: formatAmount(usd(bnbAmountWei)),
    priceUsd: formatPrice(usd(priceBnbX36)),
    priceAfterUsd: formatPrice(usd(afterBnbX36)),
    bnbUsd: formatRate(bnbUsdX8),
  };
}
