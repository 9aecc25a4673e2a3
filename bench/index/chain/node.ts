import { setTimeout as delay } from "node:timers/promises";
import { anvilBinary, anvilMnemonic } from "../../../local/anvil.ts";
import { createRpc, type Rpc } from "../../../local/market/rpc.ts";
import { freePort } from "../../../runtime/checks/port.ts";
import type { Child } from "../../../runtime/process/child-process.ts";
import type { Processes } from "../processes.ts";

export type ChainNode = { rpcUrl: string; rpc: Rpc; process: Child };

/** The first block's time: a fixed one, so that a chain depends on nothing but its parameters. */
const genesisTime = 1_750_000_000;

/**
 * Starts an anvil as chain 56 that mines when it is told to, and resolves once it answers.
 *
 * @param state flags that say where its state comes from or goes to
 */
export async function startNode(processes: Processes, state: string[]): Promise<ChainNode> {
  const port = await freePort();
  const node = processes.start(
    anvilBinary(),
    [
      ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", "56", "--silent"],
      ...["--mnemonic", anvilMnemonic, "--timestamp", String(genesisTime)],
      ...["--order", "fees", "--gas-limit", "100000000000", "--block-base-fee-per-gas", "0"],
      // Keeping the state of every block costs more time with every block, and nobody reads an old one.
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
    await processes.alive(node, "anvil");
    await delay(50);
  }
  return { rpcUrl, rpc, process: node };
}
