import { setTimeout as delay } from "node:timers/promises";
import type { Address, Hex } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { createActions } from "./actions.ts";
import { wakeTraders } from "./history.ts";
import { createRandom } from "./random.ts";
import { createRpc, type RpcCall } from "./rpc.ts";
import { createTraders } from "./traders.ts";
import { createMarketView } from "./view.ts";

export type LiveOptions = {
  rpcUrl: string;
  deployment: LaunchpadDeployment;
  signal: AbortSignal;
};

/** Milliseconds from one transaction to the next, on average. */
const meanPause = 1_000;

/** Trades about once a second until the signal aborts. Throws when the node can't be reached any more. */
export async function runLiveMarket({ rpcUrl, deployment, signal }: LiveOptions): Promise<void> {
  const rpc = createRpc(rpcUrl);
  // From one chain the same market follows, and after a restart another one than before.
  const [head] = await rpc<[Hex]>([["eth_blockNumber"]]);
  const random = createRandom(Number(head));
  const view = createMarketView(rpc);
  const traders = createTraders(view, createActions(deployment, random), random);

  await wakeTraders(rpcUrl);
  while (!signal.aborted) {
    await view.refresh();
    const transactions = traders.act(new Set<Address>(), 0.02);
    await rpc(transactions.map((transaction): RpcCall => ["eth_sendTransaction", [transaction]]));
    await delay(2 * meanPause * random.fraction(), undefined, { signal }).catch(() => {});
  }
}
