import { privateKeyToAccount } from "viem/accounts";
import { deployLaunchpad, type LaunchpadDeployment } from "../../../contracts/deploy.ts";
import { testKey } from "../../../local/anvil.ts";
import { ours } from "../../index/apps.ts";
import { startNode } from "../../index/chain/node.ts";
import { startIndexer } from "../../index/indexer.ts";
import type { Processes } from "../../index/processes.ts";

/** The Postgres schema of the on-chain tables. */
export const onchainSchema = "onchain";

/**
 * Lets Ponder make its tables, indexes, view and records, by indexing a chain that has the contracts and nothing else.
 * Resolves once it has stopped.
 */
export async function makePonderTables(
  processes: Processes,
  databaseUrl: string,
): Promise<LaunchpadDeployment> {
  const { rpc, rpcUrl, process: node } = await startNode(processes, []);
  await rpc([["evm_setAutomine", [true]]]);
  const deployment = await deployLaunchpad({ rpcUrl, account: privateKeyToAccount(testKey) });
  // Ponder takes a block for final after 30 more.
  await rpc([["anvil_mine", ["0x28"]]]);
  const indexer = await startIndexer(processes, ours, {
    databaseUrl,
    schema: onchainSchema,
    rpcUrl,
    deployment,
  });
  await indexer.untilReady();
  await indexer.stop();
  await node.stop();
  return deployment;
}
