import { writeFile } from "node:fs/promises";
import path from "node:path";
import { reachedThrough, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { startRpcGate } from "../../doubles/rpc-gate.ts";
import { atEndOfFile } from "../../run/end-of-file.ts";
import { serveChains } from "../../service/served-chains.ts";
import { temporaryFolder } from "../../service/temporary-folder.ts";
import { startPricedMarket } from "./priced-market.ts";

export type RegistrationServed = Awaited<ReturnType<typeof serveRegistration>>;

/** An operator's own service with a market on testnet, which reaches mainnet through a gate that can delay its answers. */
export async function serveRegistration() {
  const [chain, market] = await Promise.all([startLaunchpadChain(), startPricedMarket()]);
  const gate = await startRpcGate(chain.rpcUrl);
  atEndOfFile(() => gate.stop());
  const logo = path.join((await temporaryFolder()).folder, "logo.svg");
  await writeFile(
    logo,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
  );
  const env = {
    BASE_URL: "https://launchpad.example",
    BNB_USD_FEED_ADDRESS_97: market.feed.aggregator,
    BRAND_NAME: '"Otter" & <Co>',
    BRAND_LOGO: logo,
  };
  const served = await serveChains([reachedThrough(gate.url, chain), market.chain], { env });
  return { ...served, chain, gate, market, logo };
}
