import { trade, transfer } from "ponder:schema";
import { clamp } from "../domain/amounts.ts";
import { priceBnbX36 } from "../domain/price.ts";
import {
  type Address,
  type EntityContext,
  type EventPosition,
  type Hex,
  positionColumns,
  positionId,
} from "./context.ts";
import type { Realised } from "./position.ts";
import type { Totals } from "./totals.ts";

export type NewTrade = {
  token: Address;
  trader: Address;
  venue: "curve" | "dex";
  side: "buy" | "sell";
  /** Wei. */
  bnbAmountWei: bigint;
  /** Base units. */
  tokenAmountRaw: bigint;
  /** Base units that moved between market and trader, where that isn't tokenAmountRaw. */
  tokensMovedRaw: bigint | null;
  /** Reserves after the trade: the curve's virtual ones, or the pair's. In wei and base units. */
  bnbReservesWei: bigint;
  tokenReservesRaw: bigint;
};

export type TradeSums = {
  /** USD for one BNB with 8 decimals; null without a rate. */
  bnbUsdX8: bigint | null;
  tokenTotals: Totals;
  launchpadTotals: Totals;
  realised: Realised;
};

/** Returns the trader of the trade with this id, or null unless it is a buy on the curve in this transaction. */
export async function findCurveBuyer(
  { db, chain }: EntityContext,
  id: string | null,
  tx: Hex,
): Promise<Address | null> {
  const row = id === null ? null : await db.find(trade, { chainId: chain.id, id });
  return row?.tx === tx && row.side === "buy" && row.venue === "curve" ? row.trader : null;
}

/** Stores a trade with the totals after it. */
export function recordTrade(
  context: EntityContext,
  newTrade: NewTrade,
  { bnbUsdX8, tokenTotals, launchpadTotals, realised }: TradeSums,
  at: EventPosition,
): Promise<unknown> {
  const { block, transaction, log } = at;
  // Column by column, in the order of the table: several spreads would take as long as the rest.
  return context.db.insert(trade).values({
    chainId: context.chain.id,
    id: positionId(at),
    token: newTrade.token,
    trader: newTrade.trader,
    venue: newTrade.venue,
    side: newTrade.side,
    bnbAmountWei: clamp(newTrade.bnbAmountWei),
    tokenAmountRaw: clamp(newTrade.tokenAmountRaw),
    tokensMovedRaw: newTrade.tokensMovedRaw,
    priceBnbX36: priceBnbX36(newTrade.bnbAmountWei, newTrade.tokenAmountRaw),
    block: block.number,
    timestamp: block.timestamp,
    tx: transaction.hash,
    txIndex: transaction.transactionIndex,
    logIndex: log.logIndex,
    bnbReservesWei: newTrade.bnbReservesWei,
    tokenReservesRaw: newTrade.tokenReservesRaw,
    bnbUsdX8,
    realisedWei: realised.realisedWei,
    realisedUsdX18: realised.realisedUsdX18,
    buysToDate: tokenTotals.buysToDate,
    sellsToDate: tokenTotals.sellsToDate,
    volumeToDateWei: tokenTotals.volumeToDateWei,
    volumeToDateUsdX18: tokenTotals.volumeToDateUsdX18,
    launchpadBuysToDate: launchpadTotals.buysToDate,
    launchpadSellsToDate: launchpadTotals.sellsToDate,
    launchpadVolumeToDateWei: launchpadTotals.volumeToDateWei,
    launchpadVolumeToDateUsdX18: launchpadTotals.volumeToDateUsdX18,
  });
}

type NewTransfer = {
  token: Address;
  from: Address;
  to: Address;
  /** Base units. */
  amountRaw: bigint;
};

/** Stores a movement that is no part of a trade, a creation, a graduation or a change of liquidity. */
export async function recordTransfer(
  context: EntityContext,
  moved: NewTransfer,
  at: EventPosition,
): Promise<void> {
  await context.db.insert(transfer).values({
    ...moved,
    amountRaw: clamp(moved.amountRaw),
    ...positionColumns(context, at),
  });
}
