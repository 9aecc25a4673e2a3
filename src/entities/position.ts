import { position } from "ponder:schema";
import { addAmount, clamp } from "../curve/amounts.ts";
import { bought, sold } from "../curve/result.ts";
import { toUsd } from "../curve/usd.ts";
import type { Address, EntityContext } from "./context.ts";

type PositionRow = typeof position.$inferSelect;

export type PositionTrade = {
  token: Address;
  account: Address;
  side: "buy" | "sell";
  /** Wei. */
  bnbAmount: bigint;
  /** Base units. */
  tokenAmount: bigint;
  /** USD for one BNB with 8 decimals, where there is a price feed. */
  bnbUsdX8: bigint | null;
  /** Seconds. */
  timestamp: bigint;
};

/** Applies a trade to the account's position in the token. Returns the earlier number of buys, or undefined for a new position. */
export async function recordInPosition(
  { db, chain }: EntityContext,
  trade: PositionTrade,
): Promise<{ buys: number } | undefined> {
  const { token, account, timestamp } = trade;
  const blank: PositionRow = {
    chainId: chain.id,
    token,
    account,
    buys: 0,
    sells: 0,
    tokensBought: 0n,
    tokensSold: 0n,
    bnbSpent: 0n,
    bnbReceived: 0n,
    openTokens: 0n,
    openCost: 0n,
    realisedBnb: 0n,
    usdSpent: 0n,
    usdReceived: 0n,
    openCostUsd: 0n,
    realisedUsd: 0n,
    firstTradeAt: timestamp,
    lastTradeAt: timestamp,
  };
  let before: { buys: number } | undefined;
  await db
    .insert(position)
    .values({ ...blank, ...traded(blank, trade) })
    .onConflictDoUpdate((row) => {
      before = { buys: row.buys };
      return traded(row, trade);
    });
  return before;
}

function traded(row: PositionRow, trade: PositionTrade) {
  const bnbAmount = clamp(trade.bnbAmount);
  const tokenAmount = clamp(trade.tokenAmount);
  const { openTokens, openCost, realisedBnb: realised } = row;
  const result = resultAfter[trade.side]({ openTokens, openCost, realised }, bnbAmount, tokenAmount);
  const counted =
    trade.side === "buy"
      ? {
          buys: row.buys + 1,
          tokensBought: addAmount(row.tokensBought, tokenAmount),
          bnbSpent: addAmount(row.bnbSpent, bnbAmount),
        }
      : {
          sells: row.sells + 1,
          tokensSold: addAmount(row.tokensSold, tokenAmount),
          bnbReceived: addAmount(row.bnbReceived, bnbAmount),
        };
  return {
    ...counted,
    openTokens: result.openTokens,
    openCost: result.openCost,
    realisedBnb: result.realised,
    ...tradedInUsd(row, trade, toUsd(bnbAmount, trade.bnbUsdX8)),
    lastTradeAt: trade.timestamp,
  };
}

/** If either amount is unknown, so is the result. */
const unknownUsd = { usdSpent: null, usdReceived: null, openCostUsd: null, realisedUsd: null };

function tradedInUsd(row: PositionRow, { side, tokenAmount }: PositionTrade, usd: bigint | null) {
  const { openTokens, openCostUsd: openCost, realisedUsd: realised, usdSpent, usdReceived } = row;
  if (usd === null || openCost === null || realised === null || usdSpent === null || usdReceived === null) {
    return unknownUsd;
  }
  const result = resultAfter[side]({ openTokens, openCost, realised }, usd, clamp(tokenAmount));
  return {
    ...(side === "buy"
      ? { usdSpent: addAmount(usdSpent, usd) }
      : { usdReceived: addAmount(usdReceived, usd) }),
    openCostUsd: result.openCost,
    realisedUsd: result.realised,
  };
}

const resultAfter = { buy: bought, sell: sold };
