import { position } from "ponder:schema";
import { addAmount, clamp } from "../curve/amounts.ts";
import { bought, sold } from "../curve/result.ts";
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
  /** Seconds. */
  timestamp: bigint;
};

/** Takes one trade into what the account has made of the token. Returns how often it had bought it, if it had traded it. */
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
  if (trade.side === "buy") {
    return {
      buys: row.buys + 1,
      tokensBought: addAmount(row.tokensBought, tokenAmount),
      bnbSpent: addAmount(row.bnbSpent, bnbAmount),
      ...bought(row, bnbAmount, tokenAmount),
      lastTradeAt: trade.timestamp,
    };
  }
  return {
    sells: row.sells + 1,
    tokensSold: addAmount(row.tokensSold, tokenAmount),
    bnbReceived: addAmount(row.bnbReceived, bnbAmount),
    ...sold(row, bnbAmount, tokenAmount),
    lastTradeAt: trade.timestamp,
  };
}
