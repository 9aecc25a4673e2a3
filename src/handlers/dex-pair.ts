import { ponder } from "ponder:registry";
import { dexTrade } from "../curve/swap.ts";
import { updateMarket } from "../entities/curve.ts";
import { findPair, syncPair } from "../entities/dex-pair.ts";
import { recordTrade } from "../entities/trade.ts";

ponder.on("DexPair:Sync", async ({ event, context }) => {
  const market = await syncPair(context, event.log.address, event.args);
  if (market === null || market.priceX36 === 0n) return;
  await updateMarket(context, market.token, { priceX36: market.priceX36 });
});

// Uniswap V2 emits Sync before Swap, so that the pair's orientation is known here. Before graduation, or on
// a pair that is not a Uniswap V2 pair, there is nothing to tell which side is BNB.
ponder.on("DexPair:Swap", async ({ event, context }) => {
  const pair = await findPair(context, event.log.address);
  if (pair === null || pair.tokenIsToken0 === null) return;

  const traded = dexTrade(event.args, pair.tokenIsToken0);
  const trader = event.transaction.from;
  const id = await recordTrade(context, { ...traded, token: pair.token, trader, venue: "dex" }, event);
  await updateMarket(context, pair.token, { lastTradeAt: event.block.timestamp, lastTradeId: id });
});
