import { type Hex, numberToHex, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { deployLaunchpad, type LaunchpadDeployment } from "../../contracts/deploy.ts";
import { anvilBinary, anvilMnemonic, testKey } from "../../local/anvil.ts";
import type { Transaction } from "../../local/market/actions.ts";
import { createRpc, type RpcCall } from "../../local/market/rpc.ts";
import { freePort } from "../../runtime/checks/host.ts";
import type { Benchmark } from "./benchmark.ts";

export type ChainNode = Awaited<ReturnType<typeof startNode>>;

/** A block that can be mined again on the same state with the same result. */
export type PlannedBlock = { timestamp: number; transactions: (Transaction & { nonce: Hex })[] };

/** The first block's time. It is fixed, so that a chain depends on its parameters only. */
const genesisTime = 1_750_000_000;

/**
 * Starts an anvil as chain 56 that only mines on request, and takes transactions from accounts without keys.
 *
 * @param state anvil's flags to load or dump its state
 */
export async function startNode(benchmark: Benchmark, state: string[] = []) {
  const port = await freePort();
  const node = benchmark.start(
    "anvil",
    [
      ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", "56", "--silent"],
      ...["--mnemonic", anvilMnemonic, "--timestamp", String(genesisTime)],
      ...["--order", "fees", "--gas-limit", "100000000000", "--block-base-fee-per-gas", "0"],
      // Old states are never read, and keeping them would make every block slower than the one before.
      ...["--no-mining", "--prune-history", "--no-request-size-limit"],
      ...state,
    ],
    // Writing the state of a large chain takes a while.
    { command: anvilBinary(), stopTimeoutMs: 120_000 },
  );
  const rpcUrl = `http://127.0.0.1:${port}`;
  const rpc = createRpc(rpcUrl);
  const impersonate = () => rpc([["anvil_autoImpersonateAccount", [true]]]);
  await node.until(() =>
    impersonate().then(
      () => true,
      () => false,
    ),
  );

  return {
    rpcUrl,
    rpc,
    stop: () => node.stop(),
    /** Deploys the contracts. On a new chain their addresses are always the same. */
    async deploy(): Promise<LaunchpadDeployment> {
      await rpc([["evm_setAutomine", [true]]]);
      const deployment = await deployLaunchpad({ rpcUrl, account: privateKeyToAccount(testKey) });
      await rpc([["evm_setAutomine", [false]]]);
      return deployment;
    },
    /** Gives each account 1,000 BNB. */
    async fund(accounts: string[]): Promise<void> {
      const balance = numberToHex(parseEther("1000"));
      await rpc(accounts.map((account): RpcCall => ["anvil_setBalance", [account, balance]]));
    },
    async readHead(): Promise<number> {
      const [head] = await rpc<[Hex]>([["eth_blockNumber"]]);
      return Number(head);
    },
    async mine({ timestamp, transactions }: PlannedBlock): Promise<void> {
      await rpc(transactions.map((transaction): RpcCall => ["eth_sendTransaction", [transaction]]));
      await rpc([["evm_mine", [numberToHex(timestamp)]]]);
    },
    async mineEmptyBlocks(blocks: number, secondsBetween = 1): Promise<void> {
      await rpc([["anvil_mine", [numberToHex(blocks), numberToHex(secondsBetween)]]]);
    },
  };
}
