import { ponder } from "ponder:registry";
import { graduateCurve, openCurve, tradeOnCurve } from "../entities/curve.ts";
import { openPair } from "../entities/dex-pair.ts";
import { markPair } from "../entities/holder.ts";
import { recordTrade } from "../entities/trade.ts";

ponder.on("Launchpad:CurveOpened", async ({ event, context }) => {
  const { token, burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell } = event.args;
  await openCurve(context, { token, burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell });
});

ponder.on("Launchpad:Trade", async ({ event, context }) => {
  const { token, trader, isBuy, bnbAmount, tokenAmount, virtualBnbReserves, virtualTokenReserves } =
    event.args;
  const side = isBuy ? "buy" : "sell";
  const id = await recordTrade(
    context,
    { token, trader, venue: "curve", side, bnbAmount, tokenAmount },
    event,
  );
  await tradeOnCurve(context, {
    id,
    token,
    side,
    tokenAmount,
    virtualBnbReserves,
    virtualTokenReserves,
    timestamp: event.block.timestamp,
  });
});

ponder.on("Launchpad:Graduated", async ({ event, context }) => {
  const { token, pair, bnbLiquidity, tokenLiquidity } = event.args;
  await graduateCurve(context, { token, pair, timestamp: event.block.timestamp });
  await markPair(context, token, pair);
  await openPair(context, { address: pair, token, bnbReserves: bnbLiquidity, tokenReserves: tokenLiquidity });
});
