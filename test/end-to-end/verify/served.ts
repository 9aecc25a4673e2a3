import type { Address } from "viem";
import { freePort } from "../../../runtime/checks/host.ts";
import { startEmulatedEndpoint } from "../../chain/emulated-endpoint.ts";
import { graduatingAmount, reachedThrough, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { atEndOfFile } from "../../run/end-of-file.ts";
import { sized } from "../../run/long-run.ts";
import { serveChains } from "../../service/served-chains.ts";

export type ComparedServed = Awaited<ReturnType<typeof serveCompared>>;

/** A market whose tokens are partly on the curve and partly on the DEX, whose indexer compares its rows through an endpoint of its own. */
export async function serveCompared() {
  const chain = await startLaunchpadChain({ hours: 2 });
  const endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  atEndOfFile(() => endpoint.stop());
  const [creator, buyer] = chain.traders;
  const onCurve: Address = await chain.create(creator);
  await chain.buy(buyer, onCurve, 10n ** 15n);
  const graduated: Address = await chain.create(creator);
  await chain.buy(creator, graduated, 2n * graduatingAmount);
  await chain.buyOnDex(buyer, graduated, 10n ** 15n);
  await chain.trade(33, { blocks: sized({ usual: 20, long: 40 }), actionsPerBlock: 6, creations: 0.05 });
  const mineUntilFinal = () => chain.testClient.mine({ blocks: 70 });
  await mineUntilFinal();
  const metricsPort = await freePort();
  const env = { SELF_CHECK_SECONDS: "1", METRICS_PORT: String(metricsPort) };
  const served = await serveChains([reachedThrough(endpoint.url, chain)], { env });
  return { ...served, chain, endpoint, metricsPort, onCurve, graduated, mineUntilFinal };
}
