import { startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startRecordedMarket } from "../chain/recorded-market.ts";
import { createRestClient } from "./rest-client.ts";
import { startService } from "./service.ts";

export type ServedMarket = Awaited<ReturnType<typeof startServedMarket>>;

/** Serves a recorded market as mainnet, beside a testnet with one token and no price feed. */
export async function startServedMarket() {
  const [market, testnet] = await Promise.all([startRecordedMarket(), startLaunchpadChain({ chainId: 97 })]);
  const mainnet = market.chain;
  const stopChains = () => Promise.all([mainnet.stop(), testnet.stop()]);
  try {
    const [, trader] = testnet.traders;
    const elsewhere = await testnet.create(trader, "Elsewhere", "ELSE");
    await testnet.buy(trader, elsewhere, 10n ** 16n);
    const service = await startService([mainnet, testnet], { env: { BNB_USD_FEED_ADDRESS_56: market.feed } });
    await service.indexer.untilReady();
    for (const chain of [mainnet, testnet]) {
      await service.indexer.untilIndexed(chain.chainId, await chain.head());
    }
    return {
      market,
      mainnet,
      testnet,
      /** The testnet's token. */
      elsewhere,
      service,
      rest: await createRestClient(service.indexer.url),
      async stop(): Promise<void> {
        await service.stop();
        await stopChains();
      },
    };
  } catch (error) {
    await stopChains();
    throw error;
  }
}
