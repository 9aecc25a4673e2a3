import { trade } from "ponder:schema";
import { clamp } from "../curve/amounts.ts";
import { priceBnbX36 } from "../curve/price.ts";
import type { Address, EntityContext, EventPosition, Hex } from "./context.ts";
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
  /** Reserves after the trade: the curve's virtual ones, or the pair's. Wei and base units. */
  bnbReservesWei: bigint;
  tokenReservesRaw: bigint;
};

export type TradeSums = {
  /** USD for one BNB with 8 decimals, where there is a price feed. */
  bnbUsdX8: bigint | null;
  ofToken: Totals;
  ofLaunchpad: Totals;
  ofPosition: Realised;
};

/** Who made the trade with that id; null unless it is a buy on the curve in that transaction. */
export async function buyerIn(
  { db, chain }: EntityContext,
  id: string | null,
  tx: Hex,
): Promise<Address | null> {
  const row = id === null ? null : await db.find(trade, { chainId: chain.id, id });
  return row?.tx === tx && row.side === "buy" && row.venue === "curve" ? row.trader : null;
}

/** Writes one trade. */
export async function recordTrade(
  context: EntityContext,
  id: string,
  made: NewTrade,
  { bnbUsdX8, ofToken, ofLaunchpad, ofPosition }: TradeSums,
  at: EventPosition,
): Promise<void> {
  await context.db.insert(trade).values({
    ...made,
    chainId: context.chain.id,
    id,
    bnbAmountWei: clamp(made.bnbAmountWei),
    tokenAmountRaw: clamp(made.tokenAmountRaw),
    priceBnbX36: priceBnbX36(made.bnbAmountWei, made.tokenAmountRaw),
    block: at.block.number,
    timestamp: at.block.timestamp,
    tx: at.transaction.hash,
    txIndex: at.transaction.transactionIndex,
    logIndex: at.log.logIndex,
    bnbUsdX8,
    ...ofPosition,
    buysToDate: ofToken.buysToDate,
    sellsToDate: ofToken.sellsToDate,
    volumeToDateWei: ofToken.volumeToDateWei,
    volumeToDateUsdX18: ofToken.volumeToDateUsdX18,
    launchpadBuysToDate: ofLaunchpad.buysToDate,
    launchpadSellsToDate: ofLaunchpad.sellsToDate,
    launchpadVolumeToDateWei: ofLaunchpad.volumeToDateWei,
    launchpadVolumeToDateUsdX18: ofLaunchpad.volumeToDateUsdX18,
  });
}
