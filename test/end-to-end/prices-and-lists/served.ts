import { serveChains } from "../../service/served-chains.ts";
import { startListedMarket } from "./listed-market.ts";
import { startPricedMarket } from "./priced-market.ts";

export type PricesAndListsServed = Awaited<ReturnType<typeof servePricesAndLists>>;

/** A mainnet without a price feed, whose tokens are registered, beside a testnet with a feed of two aggregators. */
export async function servePricesAndLists() {
  const [listed, priced] = await Promise.all([startListedMarket(), startPricedMarket()]);
  const served = await serveChains([listed.chain, priced.chain], {
    env: { BNB_USD_FEED_ADDRESS_97: `${priced.feed.aggregator},${priced.second}` },
  });
  await listed.register(served.rest);
  return { ...served, listed, priced };
}
