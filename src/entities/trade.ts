import { trade } from "ponder:schema";
import { clamp } from "../curve/amounts.ts";
import { priceX36 } from "../curve/price.ts";
import type { Address, EntityContext, EventPosition } from "./context.ts";
import type { Totals } from "./totals.ts";

export type NewTrade = {
  token: Address;
  trader: Address;
  venue: "curve" | "dex";
  side: "buy" | "sell";
  /** Wei. */
  bnbAmount: bigint;
  /** Base units. */
  tokenAmount: bigint;
  /** Reserves after the trade: the curve's virtual ones, or the pair's. Wei and base units. */
  bnbReserves: bigint;
  tokenReserves: bigint;
};

export type TradeSums = {
  /** USD for one BNB with 8 decimals, where there is a price feed. */
  bnbUsdX8: bigint | null;
  ofToken: Totals;
  ofLaunchpad: Totals;
};

/** Writes one trade. */
export async function recordTrade(
  context: EntityContext,
  id: string,
  made: NewTrade,
  { bnbUsdX8, ofToken, ofLaunchpad }: TradeSums,
  at: EventPosition,
): Promise<void> {
  await context.db.insert(trade).values({
    ...made,
    chainId: context.chain.id,
    id,
    bnbAmount: clamp(made.bnbAmount),
    tokenAmount: clamp(made.tokenAmount),
    priceX36: priceX36(made.bnbAmount, made.tokenAmount),
    block: at.block.number,
    timestamp: at.block.timestamp,
    tx: at.transaction.hash,
    txIndex: at.transaction.transactionIndex,
    logIndex: at.log.logIndex,
    bnbUsdX8,
    buysToDate: ofToken.buysToDate,
    sellsToDate: ofToken.sellsToDate,
    volumeBnbToDate: ofToken.volumeBnbToDate,
    volumeUsdToDate: ofToken.volumeUsdToDate,
    launchpadBuysToDate: ofLaunchpad.buysToDate,
    launchpadSellsToDate: ofLaunchpad.sellsToDate,
    launchpadVolumeBnbToDate: ofLaunchpad.volumeBnbToDate,
    launchpadVolumeUsdToDate: ofLaunchpad.volumeUsdToDate,
  });
}
