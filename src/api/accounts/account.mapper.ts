import { maxBigint } from "../../domain/amounts.ts";
import { valueAt } from "../../domain/price.ts";
import {
  bnbToUsd,
  floorPercent,
  formatAmount,
  formatDifference,
  formatPrice,
  marketCapBnb,
  marketCapInUsd,
  priceInUsd,
} from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { Account } from "./account.routes.ts";
import type { AccountTotals, CreatedToken, Holding, Position } from "./account.schema.ts";
import type {
  AccountRow,
  CreatedTokenRow,
  ExitRow,
  HoldingRow,
  PositionRow,
  TokenColumnsRow,
} from "./accounts.query.ts";

/** Maps an account's totals over all tokens to their response. */
export function toAccountTotals(row: AccountRow): AccountTotals {
  return {
    holdings: row.holdings,
    positions: row.positions,
    buys: row.buys,
    sells: row.sells,
    bnbSpentWei: row.bnb_spent_wei,
    bnbReceivedWei: row.bnb_received_wei,
    realisedBnb: formatAmount(row.realised_wei),
    unrealisedBnb: formatDifference(row.open_value, row.open_cost_wei),
    ...toUnrealisedAtExit(row, row.open_exit),
    ...toResultUsd(row, row.open_value),
    valueBnb: formatAmount(row.value),
    ...toValueUsd(row.value, row.bnb_usd_x8),
    ...toExitFields(row),
  };
}

export function toHolding(row: HoldingRow): Holding {
  return {
    ...toTokenFields(row),
    balanceRaw: row.balance_raw,
    percent: floorPercent(BigInt(row.balance_raw), BigInt(row.total_supply_raw)),
    valueBnb: formatAmount(row.value),
    ...toValueUsd(row.value, row.bnb_usd_x8),
    ...toExitFields(row),
  };
}

export function toPosition(row: PositionRow): Position {
  return { ...toTokenFields(row), ...toPositionFields(row) };
}

/** What an account made of trading a token, and what that is worth at the current price. */
export type PositionResultRow = Omit<PositionRow, "name" | "symbol" | "is_hidden" | "graduated">;

/** Maps what an account made of trading a token. */
export function toPositionFields(row: PositionResultRow): Omit<Position, keyof TokenFields> {
  // Below 0 only for a token whose Transfer events don't add up.
  const openTokens = maxBigint(BigInt(row.open_tokens_raw), 0n);
  const value = String(valueAt(BigInt(row.price_bnb_x36), openTokens));
  return {
    buys: row.buys,
    sells: row.sells,
    tokensBoughtRaw: row.tokens_bought_raw,
    tokensSoldRaw: row.tokens_sold_raw,
    bnbSpentWei: row.bnb_spent_wei,
    bnbReceivedWei: row.bnb_received_wei,
    receivedRaw: row.received_raw,
    receivedCostWei: row.received_cost_wei,
    sentRaw: row.sent_raw,
    sentCostWei: row.sent_cost_wei,
    realisedBnb: formatAmount(row.realised_wei),
    openTokensRaw: String(openTokens),
    openCostWei: row.open_cost_wei,
    valueBnb: formatAmount(value),
    ...toValueUsd(value, row.bnb_usd_x8),
    ...toExitFields(row),
    unrealisedBnb: formatDifference(value, row.open_cost_wei),
    ...toUnrealisedAtExit(row, row.exit),
    ...toResultUsd(row, value),
    firstTradeAt: row.first_trade_at === null ? null : isoTime(row.first_trade_at),
    lastTradeAt: row.last_trade_at === null ? null : isoTime(row.last_trade_at),
  };
}

export function toCreatedToken(row: CreatedTokenRow): CreatedToken {
  return {
    ...toTokenFields(row),
    burnPercent: row.burn_percent,
    createdAt: isoTime(row.created_at),
    progress: row.progress,
    pair: row.pair,
    marketCapBnb: marketCapBnb(row.price_bnb_x36, row.total_supply_raw),
    ...marketCapInUsd(row.price_bnb_x36, row.total_supply_raw, row.bnb_usd_x8),
    holderCount: row.holder_count,
    realisedBnb: formatAmount(row.realised_wei),
  };
}

type TokenFields = Pick<
  Holding,
  "mint" | "name" | "symbol" | "hidden" | "graduated" | "priceBnb" | "priceUsd"
>;

function toTokenFields(row: TokenColumnsRow): TokenFields {
  return {
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    ...(row.is_hidden ? { hidden: true as const } : {}),
    graduated: row.graduated,
    priceBnb: formatPrice(row.price_bnb_x36),
    ...priceInUsd(row.price_bnb_x36, row.bnb_usd_x8),
  };
}

function toValueUsd(wei: string, bnbUsdX8: string | null): Pick<Holding, "valueUsd"> {
  const usd = bnbToUsd(BigInt(wei), bnbUsdX8);
  return usd === null ? {} : { valueUsd: formatAmount(usd) };
}

type Priced = { bnb_usd_x8: string | null };

function toExitFields({ exit, bnb_usd_x8 }: ExitRow & Priced): Pick<Holding, "exitBnb" | "exitUsd"> {
  if (exit === null) return { exitBnb: null };
  const usd = bnbToUsd(BigInt(exit), bnb_usd_x8);
  return { exitBnb: formatAmount(exit), ...(usd === null ? {} : { exitUsd: formatAmount(usd) }) };
}

type Costs = Priced & { open_cost_wei: string; open_cost_usd_x18: string | null };

/** @param exit wei that selling the open tokens would bring */
function toUnrealisedAtExit(
  { open_cost_wei, open_cost_usd_x18, bnb_usd_x8 }: Costs,
  exit: string | null,
): Pick<Position, "unrealisedAtExitBnb" | "unrealisedAtExitUsd"> {
  if (exit === null) return { unrealisedAtExitBnb: null };
  const usd = bnbToUsd(BigInt(exit), bnb_usd_x8);
  return {
    unrealisedAtExitBnb: formatDifference(exit, open_cost_wei),
    ...(usd === null || open_cost_usd_x18 === null
      ? {}
      : { unrealisedAtExitUsd: formatDifference(usd, open_cost_usd_x18) }),
  };
}

/** @param wei the account's BNB; undefined if unknown */
export function toNativeBalance(
  wei: bigint | undefined,
  bnbUsdX8: string | null,
): Pick<Account, "nativeBalanceBnb" | "nativeBalanceUsd"> {
  if (wei === undefined) return { nativeBalanceBnb: null };
  const usd = bnbToUsd(wei, bnbUsdX8);
  return {
    nativeBalanceBnb: formatAmount(wei),
    ...(usd === null ? {} : { nativeBalanceUsd: formatAmount(usd) }),
  };
}

type ResultUsd = Pick<Position, "spentUsd" | "receivedUsd" | "realisedUsd" | "unrealisedUsd">;

/** @param value what the open tokens are worth now, in wei */
function toResultUsd(row: AccountRow | PositionResultRow, value: string): ResultUsd {
  const valueUsd = bnbToUsd(BigInt(value), row.bnb_usd_x8);
  const { spent_usd_x18, received_usd_x18, open_cost_usd_x18, realised_usd_x18 } = row;
  if (valueUsd === null || spent_usd_x18 === null || received_usd_x18 === null) return {};
  if (open_cost_usd_x18 === null || realised_usd_x18 === null) return {};
  return {
    spentUsd: formatAmount(spent_usd_x18),
    receivedUsd: formatAmount(received_usd_x18),
    realisedUsd: formatAmount(realised_usd_x18),
    unrealisedUsd: formatDifference(valueUsd, open_cost_usd_x18),
  };
}
