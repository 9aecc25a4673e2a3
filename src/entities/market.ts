import { toUsd } from "../curve/usd.ts";
import { ensureAccount } from "./account.ts";
import { recordInCandles } from "./candle.ts";
import { type EntityContext, type EventPosition, positionId } from "./context.ts";
import { tradeOnMarket } from "./curve.ts";
import { recordIfEarly } from "./early-buyer.ts";
import { countTrade } from "./launchpad-totals.ts";
import { recordInPosition } from "./position.ts";
import { type NewTrade, recordTrade } from "./trade.ts";

/** Applies a trade to the launchpad's totals, the token's curve, its candles and the trader's position, and stores it. */
export async function recordMarketTrade(
  context: EntityContext,
  made: NewTrade,
  at: EventPosition,
): Promise<void> {
  const { token, trader: account, side } = made;
  const { number: block, timestamp } = at.block;
  const id = positionId(at);
  const ofLaunchpad = await countTrade(context, made);
  const { bnbUsdX8 } = ofLaunchpad;
  const { before, after } = await tradeOnMarket(context, { ...made, id, bnbUsdX8, timestamp });
  await recordTrade(context, id, made, { bnbUsdX8, ofToken: after, ofLaunchpad }, at);

  const wasPriced = before.closePriceX36 > 0n;
  const beforeX36 = wasPriced ? before.closePriceX36 : after.closePriceX36;
  await recordInCandles(context, {
    token,
    timestamp,
    lastTradeAt: before.lastTradeAt,
    beforeX36,
    afterX36: after.closePriceX36,
    beforeUsdX36: (wasPriced ? before.closePriceUsdX36 : null) ?? toUsd(beforeX36, bnbUsdX8),
    afterUsdX36: after.closePriceUsdX36,
    volumeBnb: made.bnbAmount,
    volumeTokens: made.tokenAmount,
    volumeUsd: toUsd(made.bnbAmount, bnbUsdX8),
  });
  const earlier = await recordInPosition(context, { ...made, account, bnbUsdX8, timestamp });
  if (earlier === undefined) await ensureAccount(context, account, at);
  if (side === "buy" && (earlier?.buys ?? 0) === 0) {
    await recordIfEarly(context, { token, account, openedBlock: after.openedBlock, block });
  }
}
