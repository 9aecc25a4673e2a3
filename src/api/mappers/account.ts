import { worthAt } from "../../curve/price.ts";
import { toUsd } from "../../curve/usd.ts";
import type { AccountRow, CreatedTokenRow, HoldingRow, PositionRow } from "../queries/account.ts";
import { marketCapBnb, percentOf, priceBnb, wholeUnits } from "./price.ts";
import { isoTime } from "./time.ts";

/** What an account has and has made over all tokens, as it is sent. */
export function toAccountTotals(row: AccountRow) {
  return {
    holdings: row.holdings,
    positions: row.positions,
    buys: row.buys,
    sells: row.sells,
    bnbSpent: row.bnb_spent,
    bnbReceived: row.bnb_received,
    realisedBnb: wholeUnits(row.realised_bnb),
    unrealisedBnb: difference(row.open_value, row.open_cost),
    valueBnb: wholeUnits(row.value),
    ...valueUsd(row.value, row.bnb_usd_x8),
  };
}

/** @param bnbUsdX8 USD for one BNB now, with 8 decimals; null without a price feed */
export function toHolding(row: HoldingRow, bnbUsdX8: string | null) {
  return {
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    graduated: row.graduated,
    balance: row.balance,
    percent: percentOf(BigInt(row.balance), BigInt(row.total_supply)),
    priceBnb: priceBnb(row.price_x36),
    valueBnb: wholeUnits(row.value),
    ...valueUsd(row.value, bnbUsdX8),
  };
}

/** @param bnbUsdX8 USD for one BNB now, with 8 decimals; null without a price feed */
export function toPosition(row: PositionRow, bnbUsdX8: string | null) {
  const value = String(worthAt(BigInt(row.price_x36), BigInt(row.open_tokens)));
  return {
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    graduated: row.graduated,
    buys: row.buys,
    sells: row.sells,
    tokensBought: row.tokens_bought,
    tokensSold: row.tokens_sold,
    bnbSpent: row.bnb_spent,
    bnbReceived: row.bnb_received,
    realisedBnb: wholeUnits(row.realised_bnb),
    openTokens: row.open_tokens,
    openCost: row.open_cost,
    priceBnb: priceBnb(row.price_x36),
    valueBnb: wholeUnits(value),
    ...valueUsd(value, bnbUsdX8),
    unrealisedBnb: difference(value, row.open_cost),
    firstTradeAt: isoTime(row.first_trade_at),
    lastTradeAt: isoTime(row.last_trade_at),
  };
}

export function toCreatedToken(row: CreatedTokenRow) {
  return {
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    burnPercent: row.burn_percent,
    createdAt: isoTime(row.created_at),
    progress: row.progress,
    graduated: row.graduated,
    pair: row.pair,
    priceBnb: priceBnb(row.price_x36),
    marketCapBnb: marketCapBnb(row.price_x36, row.total_supply),
    holderCount: row.holder_count,
  };
}

function difference(left: string, right: string): string {
  return wholeUnits(String(BigInt(left) - BigInt(right)));
}

function valueUsd(wei: string, bnbUsdX8: string | null) {
  const usd = toUsd(BigInt(wei), bnbUsdX8 === null ? null : BigInt(bnbUsdX8));
  return usd === null ? {} : { valueUsd: wholeUnits(String(usd)) };
}
