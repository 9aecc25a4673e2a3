import { priceScale, valueAt } from "../../../curve/price.ts";
import { toUsd } from "../../../curve/usd.ts";
import { nativePrice } from "../../market/native-price.ts";
import { formatAmount, formatPrice } from "../../market/price.ts";
import type { HistoricalTrade, Ticker } from "./coingecko.routes.ts";
import type { HistoricalTradeRow } from "./historical-trades.query.ts";
import type { TickerRow } from "./tickers.query.ts";

/** @param bnbUsdX8 USD for one BNB with 8 decimals; undefined if unknown */
export function toTicker(row: TickerRow, wbnb: string, bnbUsdX8: string | undefined): Ticker {
  const price = formatPrice(row.price_bnb_x36);
  const usd = bnbUsdX8 === undefined ? null : toUsd(liquidityBnb(row), BigInt(bnbUsdX8));
  return {
    ticker_id: `${row.token}_${wbnb}`,
    base_currency: row.token,
    target_currency: wbnb,
    pool_id: row.pair ?? row.token,
    last_price: price,
    base_volume: formatAmount(row.volume_raw ?? "0"),
    target_volume: formatAmount(row.volume_wei ?? "0"),
    ...(usd === null ? {} : { liquidity_in_usd: formatAmount(String(usd)) }),
    bid: price,
    ask: price,
    high: formatPrice(row.high_bnb_x36),
    low: formatPrice(row.low_bnb_x36),
  };
}

/**
 * The liquidity in wei. For a pair, both sides at its price. For a curve, the BNB paid in plus the tokens left to buy at its
 * price: its virtual reserves less those that it started with or never sells.
 */
function liquidityBnb(row: TickerRow): bigint {
  const bnb = BigInt(row.bnb_reserves_wei);
  if (row.pair !== null) return 2n * bnb;
  const startTokens = BigInt(row.start_tokens);
  // The opening price was rounded down.
  const startBnb = (BigInt(row.opening_price_bnb_x36) * startTokens + priceScale - 1n) / priceScale;
  const left = clampToZero(BigInt(row.token_reserves_raw) - startTokens + BigInt(row.total_to_sell));
  return clampToZero(bnb - startBnb) + valueAt(BigInt(row.price_bnb_x36), left);
}

const clampToZero = (amount: bigint) => (amount < 0n ? 0n : amount);

/** Leaves room for a block's log indexes, while trade ids stay integers that JSON parsers read exactly. */
const maxLogsPerBlock = 1_000_000;

/** Leaves out trades without a price. */
export function toHistoricalTrades(rows: HistoricalTradeRow[]): HistoricalTrade[] {
  return rows.flatMap((row) => toHistoricalTrade(row) ?? []);
}

function toHistoricalTrade(row: HistoricalTradeRow): HistoricalTrade | undefined {
  const price = nativePrice(BigInt(row.bnb_amount_wei), BigInt(row.token_amount_raw));
  if (price === undefined) return undefined;
  return {
    trade_id: Number(row.block) * maxLogsPerBlock + row.log_index,
    price,
    base_volume: formatAmount(row.token_amount_raw),
    target_volume: formatAmount(row.bnb_amount_wei),
    trade_timestamp: Number(row.timestamp) * 1_000,
    type: row.side,
  };
}
