import { ponder } from "ponder:registry";
import { dexTrade } from "../curve/swap.ts";
import { launchpadAddress } from "../entities/context.ts";
import { updateDexMarket } from "../entities/curve.ts";
import { findPair, syncPair } from "../entities/dex-pair.ts";
import { recordMarketTrade } from "../entities/market.ts";
import { moveCosts } from "../entities/position.ts";
import { reads, swapRows, syncRows } from "./rows-read.ts";
import { swapTrader, transfersAfter } from "./traders.ts";

ponder.on(
  "DexPair:Sync",
  reads(syncRows, async ({ event, context }) => {
    const market = await syncPair(context, event.log.address, event.args);
    if (market === null) return;
    const { token, priceBnbX36, bnbReservesWei: liquidityWei } = market;
    const price = priceBnbX36 === 0n ? {} : { priceBnbX36 };
    await updateDexMarket(context, token, { ...price, liquidityWei, changedAt: event.block.timestamp });
  }),
);

// Uniswap V2 emits Sync before Swap, so the pair's orientation and its reserves after the swap are known here. Before
// graduation, or on a pair that is not a Uniswap V2 pair, nothing shows which side is BNB.
ponder.on(
  "DexPair:Swap",
  reads(swapRows, async ({ event, context }) => {
    const pair = await findPair(context, event.log.address);
    if (pair === null || pair.tokenIsToken0 === null) return;

    const { address, token, tokenIsToken0, bnbReservesWei, tokenReservesRaw } = pair;
    const traded = dexTrade(event.args, tokenIsToken0);
    const launchpad = launchpadAddress(context);
    const markets = { token, launchpad, pair: { address, tokenIsToken0 } };
    const { account: trader, tokensMovedRaw } = swapTrader(event, markets, traded.tokenAmountRaw);
    await recordMarketTrade(
      context,
      { ...traded, token, trader, tokensMovedRaw, venue: "dex", bnbReservesWei, tokenReservesRaw },
      event,
    );
    await moveCosts(context, { token, pair: address }, transfersAfter(event, markets));
  }),
);
