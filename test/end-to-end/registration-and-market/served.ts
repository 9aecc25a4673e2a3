import { reachedThrough, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { startRpcGate } from "../../doubles/rpc-gate.ts";
import { atEndOfFile } from "../../run/end-of-file.ts";
import { serveChains } from "../../service/served-chains.ts";
import { startPricedMarket } from "./priced-market.ts";

export type RegistrationServed = Awaited<ReturnType<typeof serveRegistration>>;

/** A service with a market on testnet, which reaches mainnet through a gate that can delay its answers. */
export async function serveRegistration() {
  const [chain, market] = await Promise.all([startLaunchpadChain(), startPricedMarket()]);
  const gate = await startRpcGate(chain.rpcUrl);
  atEndOfFile(() => gate.stop());
  const env = { BASE_URL: "https://launchpad.example", BNB_USD_FEED_ADDRESS_97: market.feed.aggregator };
  const served = await serveChains([reachedThrough(gate.url, chain), market.chain], { env });
  return { ...served, chain, gate, market };
}
