import { position } from "ponder:schema";
import { addAmount, clamp } from "../curve/amounts.ts";
import { addTokens, applySell } from "../curve/result.ts";
import { toUsd } from "../curve/usd.ts";
import type { Address, EntityContext } from "./context.ts";

type PositionRow = typeof position.$inferSelect;

export type PositionTrade = {
  token: Address;
  account: Address;
  side: "buy" | "sell";
  /** Wei. */
  bnbAmountWei: bigint;
  /** Base units. */
  tokenAmountRaw: bigint;
  /** USD for one BNB with 8 decimals; null without a rate. */
  bnbUsdX8: bigint | null;
  /** Seconds. */
  timestamp: bigint;
};

/**
 * What a sell realised, in wei and in USD with 18 decimals. Null for a buy; null in USD if the position has no result
 * in USD.
 */
export type Realised = { realisedWei: bigint | null; realisedUsdX18: bigint | null };

/**
 * Applies a trade to the account's position in the token. Returns its number of buys before, and what the trade
 * realised.
 */
export async function recordInPosition(
  { db, chain }: EntityContext,
  trade: PositionTrade,
): Promise<{ buysBefore: number; realised: Realised }> {
  const { token, account, side } = trade;
  const key = { chainId: chain.id, token, account };
  const row = await db.find(position, key);
  const before = row ?? { ...key, ...newPosition(trade) };
  const after =
    row === null
      ? await db.insert(position).values({ ...before, ...applyTrade(before, trade) })
      : await db.update(position, key).set(applyTrade(before, trade));
  return { buysBefore: before.buys, realised: side === "sell" ? realisedBetween(before, after) : noRealised };
}

function newPosition({ timestamp }: PositionTrade) {
  return {
    buys: 0,
    sells: 0,
    tokensBoughtRaw: 0n,
    tokensSoldRaw: 0n,
    bnbSpentWei: 0n,
    bnbReceivedWei: 0n,
    openTokensRaw: 0n,
    openCostWei: 0n,
    realisedWei: 0n,
    spentUsdX18: 0n,
    receivedUsdX18: 0n,
    openCostUsdX18: 0n,
    realisedUsdX18: 0n,
    firstTradeAt: timestamp,
    lastTradeAt: timestamp,
  };
}

const noRealised: Realised = { realisedWei: null, realisedUsdX18: null };

type Results = Pick<PositionRow, "realisedWei" | "realisedUsdX18">;

function realisedBetween(before: Results, after: Results): Realised {
  const [usdBefore, usdAfter] = [before.realisedUsdX18, after.realisedUsdX18];
  return {
    realisedWei: after.realisedWei - before.realisedWei,
    realisedUsdX18: usdBefore === null || usdAfter === null ? null : usdAfter - usdBefore,
  };
}

function applyTrade(row: PositionRow, trade: PositionTrade) {
  const bnbAmountWei = clamp(trade.bnbAmountWei);
  const tokenAmountRaw = clamp(trade.tokenAmountRaw);
  const { openTokensRaw, openCostWei: openCost, realisedWei: realised } = row;
  const result = applySide[trade.side]({ openTokensRaw, openCost, realised }, bnbAmountWei, tokenAmountRaw);
  const counted =
    trade.side === "buy"
      ? {
          buys: row.buys + 1,
          tokensBoughtRaw: addAmount(row.tokensBoughtRaw, tokenAmountRaw),
          bnbSpentWei: addAmount(row.bnbSpentWei, bnbAmountWei),
        }
      : {
          sells: row.sells + 1,
          tokensSoldRaw: addAmount(row.tokensSoldRaw, tokenAmountRaw),
          bnbReceivedWei: addAmount(row.bnbReceivedWei, bnbAmountWei),
        };
  return {
    ...counted,
    openTokensRaw: result.openTokensRaw,
    openCostWei: result.openCost,
    realisedWei: result.realised,
    ...applyTradeInUsd(row, trade, toUsd(bnbAmountWei, trade.bnbUsdX8)),
    lastTradeAt: trade.timestamp,
  };
}

/** Once one amount in USD is unknown, so are all results. */
const unknownUsd = { spentUsdX18: null, receivedUsdX18: null, openCostUsdX18: null, realisedUsdX18: null };

function applyTradeInUsd(row: PositionRow, { side, tokenAmountRaw }: PositionTrade, usd: bigint | null) {
  const {
    openTokensRaw,
    openCostUsdX18: openCost,
    realisedUsdX18: realised,
    spentUsdX18,
    receivedUsdX18,
  } = row;
  if (
    usd === null ||
    openCost === null ||
    realised === null ||
    spentUsdX18 === null ||
    receivedUsdX18 === null
  ) {
    return unknownUsd;
  }
  const result = applySide[side]({ openTokensRaw, openCost, realised }, usd, clamp(tokenAmountRaw));
  return {
    ...(side === "buy"
      ? { spentUsdX18: addAmount(spentUsdX18, usd) }
      : { receivedUsdX18: addAmount(receivedUsdX18, usd) }),
    openCostUsdX18: result.openCost,
    realisedUsdX18: result.realised,
  };
}

const applySide = { buy: addTokens, sell: applySell };
