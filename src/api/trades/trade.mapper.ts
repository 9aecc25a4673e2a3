import { priceX36 } from "../../curve/price.ts";
import { toUsd } from "../../curve/usd.ts";
import type { KeysetPosition } from "../http/cursor.ts";
import { priceBnb, priceUsd, rateUsd, wholeUnits } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { NamedTradeRow, TradeRow } from "../market/trades.query.ts";
import type { NamedTrade, Trade } from "./trade.schema.ts";

/** A trade, as it is sent. What is in USD is left out where no rate was known at the time. */
export function toTrade(row: TradeRow): Trade {
  const after = priceX36(BigInt(row.bnb_reserves), BigInt(row.token_reserves));
  return {
    id: row.id,
    mint: row.token,
    chainId: row.chain_id,
    trader: row.trader,
    venue: row.venue,
    side: row.side,
    bnbAmount: row.bnb_amount,
    tokenAmount: row.token_amount,
    priceBnb: priceBnb(row.price_x36),
    priceAfterBnb: priceBnb(String(after)),
    bnbReserves: row.bnb_reserves,
    tokenReserves: row.token_reserves,
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.log_index,
    ...inUsd(row, after),
  };
}

/** The same with the token's name and symbol, which are untrusted text. */
export function toNamedTrade(row: NamedTradeRow): NamedTrade {
  return { ...toTrade(row), name: row.name, symbol: row.symbol };
}

/** The place of a trade in the order of trades, newest first. */
export function placeOfTrade({ timestamp, id }: TradeRow): KeysetPosition {
  return { first: timestamp, second: id };
}

type UsdFields = Pick<Trade, "amountUsd" | "priceUsd" | "priceAfterUsd" | "bnbUsd">;

function inUsd({ bnb_usd_x8, bnb_amount, price_x36 }: TradeRow, afterX36: bigint): UsdFields {
  if (bnb_usd_x8 === null) return {};
  const rate = BigInt(bnb_usd_x8);
  const usd = (bnb: bigint) => String(toUsd(bnb, rate));
  return {
    amountUsd: wholeUnits(usd(BigInt(bnb_amount))),
    priceUsd: priceUsd(usd(BigInt(price_x36))),
    priceAfterUsd: priceUsd(usd(afterX36)),
    bnbUsd: rateUsd(bnb_usd_x8),
  };
}
