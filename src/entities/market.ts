import * as tables from "ponder:schema";
import { storedIntervals, storedOpenTime } from "../domain/intervals.ts";
import { toUsd } from "../domain/price.ts";
import { recordInAccount } from "./account.ts";
import { recordInCandles } from "./candle.ts";
import { type Address, type EntityContext, type EventPosition, positionId, type RowKey } from "./context.ts";
import { recordInCurve } from "./curve.ts";
import { isEarly, markEarlyBuyer, recordEarlyBuy } from "./holder.ts";
import { countTrade } from "./launchpad.ts";
import { recordInPosition } from "./position.ts";
import { findCreator } from "./token.ts";
import { type NewTrade, recordTrade } from "./trade.ts";

/**
 * Stores a trade, and applies it to the launchpad's totals, the token's curve and candles, and the trader's position
 * and account.
 */
export async function recordMarketTrade(
  context: EntityContext,
  newTrade: NewTrade,
  at: EventPosition,
): Promise<void> {
  const { token, trader: account, side } = newTrade;
  const { timestamp } = at.block;
  const launchpadTotals = await countTrade(context, newTrade);
  const { bnbUsdX8 } = launchpadTotals;
  const { netChangeWei, realised } = await recordInPosition(context, newTrade, { bnbUsdX8, timestamp });
  const { before, after } = await recordInCurve(context, newTrade, {
    id: positionId(at),
    isByCreator: account === (await findCreator(context, token)),
    netChangeWei,
    bnbUsdX8,
    block: at.block.number,
    timestamp,
  });
  const sums = { bnbUsdX8, tokenTotals: after, launchpadTotals, realised };
  await recordTrade(context, newTrade, sums, at);

  const wasPriced = before.closePriceBnbX36 > 0n;
  const beforeBnbX36 = wasPriced ? before.closePriceBnbX36 : after.closePriceBnbX36;
  await recordInCandles(context, {
    token,
    timestamp,
    lastTradeAt: before.lastTradeAt,
    beforeBnbX36,
    afterBnbX36: after.closePriceBnbX36,
    beforeUsdX36: (wasPriced ? before.closePriceUsdX36 : null) ?? toUsd(beforeBnbX36, bnbUsdX8),
    afterUsdX36: after.closePriceUsdX36,
    volumeWei: newTrade.bnbAmountWei,
    volumeRaw: newTrade.tokenAmountRaw,
    volumeUsdX18: toUsd(newTrade.bnbAmountWei, bnbUsdX8),
  });
  await recordInAccount(context, newTrade, { bnbUsdX8, realised }, at);
  if (side === "buy" && isEarly(after.openedBlock, at.block.number)) {
    const earlyBlock = await recordEarlyBuy(context, newTrade, after.openedBlock, at);
    if (earlyBlock !== null) await markEarlyBuyer(context, { token, account, earlyBlock }, at);
  }
}

/** The rows that {@link recordMarketTrade} reads. */
export function marketTradeRows(
  chainId: number,
  traded: Address,
  trader: Address,
  timestamp: bigint,
): RowKey[] {
  return [
    { table: tables.launchpad, key: { chainId } },
    { table: tables.curve, key: { chainId, token: traded } },
    { table: tables.token, key: { chainId, address: traded } },
    { table: tables.position, key: { chainId, token: traded, account: trader } },
    { table: tables.account, key: { chainId, address: trader } },
    ...storedIntervals.map((interval) => ({
      table: tables.candle,
      key: { chainId, token: traded, interval, openTime: storedOpenTime(interval, timestamp) },
    })),
  ];
}
