import { priceBnbX36, toUsd } from "../../domain/price.ts";
import { chainEventId } from "../market/event-id.ts";
import { formatAmount, formatPrice, formatRate } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { NamedTradeRow, TradeRow } from "../market/trades.query.ts";
import type { NamedTrade, Trade } from "./trade.schema.ts";

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
