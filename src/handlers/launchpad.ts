import { ponder } from "ponder:registry";
import { addToRecord } from "../entities/account.ts";
import { positionId } from "../entities/context.ts";
import { graduateCurve, openCurve } from "../entities/curve.ts";
import { openPair } from "../entities/dex-pair.ts";
import { markPair } from "../entities/holder.ts";
import { bnbUsdNow, countGraduation } from "../entities/launchpad-totals.ts";
import { recordMarketTrade } from "../entities/market.ts";
import { creatorOf } from "../entities/token.ts";

ponder.on("Launchpad:CurveOpened", async ({ event, context }) => {
  const { token, burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell } = event.args;
  const bnbUsdX8 = await bnbUsdNow(context);
  const opened = { token, burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell, bnbUsdX8 };
  await openCurve(context, opened, event);
});

ponder.on("Launchpad:Trade", async ({ event, context }) => {
  const { isBuy, virtualBnbReserves, virtualTokenReserves, ...traded } = event.args;
  const made = {
    ...traded,
    venue: "curve",
    side: isBuy ? "buy" : "sell",
    bnbReserves: virtualBnbReserves,
    tokenReserves: virtualTokenReserves,
  } as const;
  await recordMarketTrade(context, made, event);
});

ponder.on("Launchpad:Graduated", async ({ event, context }) => {
  const { token, pair, bnbLiquidity, tokenLiquidity } = event.args;
  const { timestamp } = event.block;
  const isNew = await graduateCurve(context, { token, pair, id: positionId(event), timestamp });
  await markPair(context, token, pair, event);
  await openPair(context, { address: pair, token, bnbReserves: bnbLiquidity, tokenReserves: tokenLiquidity });
  if (!isNew) return;
  await countGraduation(context, bnbLiquidity);
  const creator = await creatorOf(context, token);
  if (creator !== undefined) await addToRecord(context, creator, { tokensGraduated: 1 }, event);
});
