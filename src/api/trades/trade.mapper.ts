import { priceX36 } from "../../curve/price.ts";
import { toUsd } from "../../curve/usd.ts";
import type { KeysetPosition } from "../http/cursor.ts";
import { formatPrice, rateUsd, wholeUnits } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { NamedTradeRow, TradeRow } from "../market/trades.query.ts";
import type { NamedTrade, Trade } from "./trade.schema.ts";

/** Maps a trade to its response. USD fields are left out if no rate was known at the time. */
export function toTrade(row: TradeRow): Trade {
  const after = priceX36(row.bnbReserves, row.tokenReserves);
  return {
    id: row.id,
    mint: row.token,
    chainId: row.chainId,
    trader: row.trader,
    venue: row.venue,
    side: row.side,
    bnbAmount: String(row.bnbAmount),
    tokenAmount: String(row.tokenAmount),
    priceBnb: formatPrice(row.priceX36),
    priceAfterBnb: formatPrice(after),
    bnbReserves: String(row.bnbReserves),
    tokenReserves: String(row.tokenReserves),
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.logIndex,
    ...inUsd(row, after),
  };
}

/** The same with the token's name and symbol, which are untrusted text. */
export function toNamedTrade(row: NamedTradeRow): NamedTrade {
  return { ...toTrade(row), name: row.name, symbol: row.symbol };
}

/** The place of a trade in the order of trades, newest first. */
export function placeOfTrade({ timestamp, id }: TradeRow): KeysetPosition {
  return { first: String(timestamp), second: id };
}

type UsdFields = Pick<Trade, "amountUsd" | "priceUsd" | "priceAfterUsd" | "bnbUsd">;

function inUsd({ bnbUsdX8, bnbAmount, priceX36 }: TradeRow, afterX36: bigint): UsdFields {
  if (bnbUsdX8 === null) return {};
  const usd = (bnb: bigint) => String(toUsd(bnb, bnbUsdX8));
  return {
    amountUsd: wholeUnits(usd(bnbAmount)),
    priceUsd: formatPrice(usd(priceX36)),
    priceAfterUsd: formatPrice(usd(afterX36)),
    bnbUsd: rateUsd(bnbUsdX8),
  };
}
