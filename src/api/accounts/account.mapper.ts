import { worthAt } from "../../curve/price.ts";
import {
  formatPrice,
  marketCapBnb,
  marketCapInUsd,
  percentOf,
  priceInUsd,
  usdOf,
  wholeUnits,
} from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { AccountTotals, CreatedToken, Holding, Position } from "./account.schema.ts";
import type { CreatedTokenRow, HoldingRow, OfTokenRow, PositionRow } from "./account-lists.query.ts";
import type { AccountRow } from "./account-totals.query.ts";

/** Maps the totals of an account over all its tokens to their response. */
export function toAccountTotals(row: AccountRow): AccountTotals {
  return {
    holdings: row.holdings,
    positions: row.positions,
    buys: row.buys,
    sells: row.sells,
    bnbSpent: row.bnb_spent,
    bnbReceived: row.bnb_received,
    realisedBnb: wholeUnits(row.realised_bnb),
    unrealisedBnb: difference(row.open_value, row.open_cost),
    ...resultUsd(row, row.open_value),
    valueBnb: wholeUnits(row.value),
    ...valueUsd(row.value, row.bnb_usd_x8),
  };
}

export function toHolding(row: HoldingRow): Holding {
  return {
    ...ofToken(row),
    balance: row.balance,
    percent: percentOf(BigInt(row.balance), BigInt(row.total_supply)),
    valueBnb: wholeUnits(row.value),
    ...valueUsd(row.value, row.bnb_usd_x8),
  };
}

export function toPosition(row: PositionRow): Position {
  const value = String(worthAt(BigInt(row.price_x36), BigInt(row.open_tokens)));
  return {
    ...ofToken(row),
    buys: row.buys,
    sells: row.sells,
    tokensBought: row.tokens_bought,
    tokensSold: row.tokens_sold,
    bnbSpent: row.bnb_spent,
    bnbReceived: row.bnb_received,
    realisedBnb: wholeUnits(row.realised_bnb),
    openTokens: row.open_tokens,
    openCost: row.open_cost,
    valueBnb: wholeUnits(value),
    ...valueUsd(value, row.bnb_usd_x8),
    unrealisedBnb: difference(value, row.open_cost),
    ...resultUsd(row, value),
    firstTradeAt: isoTime(row.first_trade_at),
    lastTradeAt: isoTime(row.last_trade_at),
  };
}

export function toCreatedToken(row: CreatedTokenRow): CreatedToken {
  return {
    ...ofToken(row),
    burnPercent: row.burn_percent,
    createdAt: isoTime(row.created_at),
    progress: row.progress,
    pair: row.pair,
    marketCapBnb: marketCapBnb(row.price_x36, row.total_supply),
    ...marketCapInUsd(row.price_x36, row.total_supply, row.bnb_usd_x8),
    holderCount: row.holder_count,
  };
}

type TokenFields = Pick<Holding, "mint" | "name" | "symbol" | "graduated" | "priceBnb" | "priceUsd">;

function ofToken(row: OfTokenRow): TokenFields {
  return {
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    graduated: row.graduated,
    priceBnb: formatPrice(row.price_x36),
    ...priceInUsd(row.price_x36, row.bnb_usd_x8),
  };
}

function difference(left: string, right: string): string {
  return wholeUnits(String(BigInt(left) - BigInt(right)));
}

function valueUsd(wei: string, bnbUsdX8: string | null): Pick<Holding, "valueUsd"> {
  const usd = usdOf(BigInt(wei), bnbUsdX8);
  return usd === null ? {} : { valueUsd: wholeUnits(usd) };
}

type ResultUsd = Pick<Position, "spentUsd" | "receivedUsd" | "realisedUsd" | "unrealisedUsd">;

/** @param value wei that the open tokens are worth now */
function resultUsd(row: AccountRow | PositionRow, value: string): ResultUsd {
  const valueUsd = usdOf(BigInt(value), row.bnb_usd_x8);
  const { usd_spent, usd_received, open_cost_usd, realised_usd } = row;
  if (valueUsd === null || usd_spent === null || usd_received === null) return {};
  if (open_cost_usd === null || realised_usd === null) return {};
  return {
    spentUsd: wholeUnits(usd_spent),
    receivedUsd: wholeUnits(usd_received),
    realisedUsd: wholeUnits(realised_usd),
    unrealisedUsd: difference(valueUsd, open_cost_usd),
  };
}
