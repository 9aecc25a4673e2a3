import { reachedThrough, startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { startRpcGate } from "../../doubles/rpc-gate.ts";
import { atEndOfFile } from "../../run/end-of-file.ts";
import { serveChains } from "../../service/served-chains.ts";

export type RegistrationServed = Awaited<ReturnType<typeof serveRegistration>>;

/** A service that reaches its chain through a gate, behind which it can be held up. */
export async function serveRegistration() {
  const chain = await startLaunchpadChain();
  const gate = await startRpcGate(chain.rpcUrl);
  atEndOfFile(() => gate.stop());
  const env = { BASE_URL: "https://launchpad.example" };
  return { ...(await serveChains([reachedThrough(gate.url, chain)], { env })), chain, gate };
}
