import { setTimeout as delay } from "node:timers/promises";
import { anvilBinary, anvilMnemonic } from "../../../local/anvil.ts";
import { createRpc, type Rpc } from "../../../local/market/rpc.ts";
import { freePort } from "../../../runtime/checks/port.ts";
import type { Child } from "../../../runtime/process/child-process.ts";
import type { Processes } from "../processes.ts";

export type ChainNode = { rpcUrl: string; rpc: Rpc; process: Child };

/** The first block's time. It is fixed, so that a chain depends on its parameters only. */
const genesisTime = 1_750_000_000;

/**
 * Starts an anvil as chain 56 that only mines on request. Resolves once it answers.
 *
 * @param state anvil's flags to load or dump its state
 */
export async function startNode(processes: Processes, state: string[]): Promise<ChainNode> {
  const port = await freePort();
  const node = processes.start(
    anvilBinary(),
    [
      ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", "56", "--silent"],
      ...["--mnemonic", anvilMnemonic, "--timestamp", String(genesisTime)],
      ...["--order", "fees", "--gas-limit", "100000000000", "--block-base-fee-per-gas", "0"],
      // Old states are never read, and keeping them would make every block slower than the one before.
      ...["--no-mining", "--prune-history", "--no-request-size-limit"],
      ...state,
    ],
    // Writing the state of a large chain takes a while.
    { stopTimeoutMs: 120_000 },
  );
  const rpcUrl = `http://127.0.0.1:${port}`;
  const rpc = createRpc(rpcUrl);
  const answers = () =>
    rpc([["eth_chainId"]]).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    await processes.assertAlive(node, "anvil");
    await delay(50);
  }
  return { rpcUrl, rpc, process: node };
}
