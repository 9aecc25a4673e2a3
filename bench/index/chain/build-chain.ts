import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { deployLaunchpad, type LaunchpadDeployment } from "../../../contracts/deploy.ts";
import { testKey } from "../../../local/anvil.ts";
import type { Processes } from "../processes.ts";
import { openMarket, type PlannedBlock } from "./market.ts";
import { startNode } from "./node.ts";

export type ChainSize = {
  tokens: number;
  trades: number;
  /** Default: 250. */
  transactionsPerBlock?: number;
};

export type BuiltChain = {
  deployment: LaunchpadDeployment;
  /** The number of the last block, a few empty blocks after the last trade. */
  head: number;
  tokens: number;
  trades: number;
  transactions: number;
  /** The blocks that are mined when the chain is followed live. */
  live: PlannedBlock[];
};

export type BuildOptions = ChainSize & { stateFile: string; onProgress(done: number, total: number): void };

const liveCreations = 10;
const liveBlocks = 20;
/** For Ponder a block is final after 30 more; a backfill ends at the last final block. */
const finalityBlocks = 40;

/** Builds the chain block by block, writes it to the state file, and plans the live blocks. */
export async function buildChain(processes: Processes, options: BuildOptions): Promise<BuiltChain> {
  const { tokens, trades, transactionsPerBlock = 250, stateFile, onProgress } = options;
  const node = await startNode(processes, ["--dump-state", stateFile]);
  const { rpc, rpcUrl } = node;
  await rpc([["evm_setAutomine", [true]]]);
  const deployment = await deployLaunchpad({ rpcUrl, account: privateKeyToAccount(testKey) });
  await rpc([["evm_setAutomine", [false]]]);
  const traders = Math.max(100, Math.ceil(trades / 20));
  const market = await openMarket(rpc, deployment, { traders, transactionsPerBlock });

  const firstTokens = Math.min(tokens, 20);
  await market.nextBlock(firstTokens);
  while (market.trades < trades || market.created < tokens) {
    // Create tokens in proportion to the trades so far, so that both totals are reached together.
    const due = firstTokens + (tokens - firstTokens) * Math.min(1, market.trades / (0.98 * trades));
    await market.nextBlock(Math.min(Math.ceil(due) - market.created, transactionsPerBlock));
    onProgress(Math.min(market.trades, trades), trades);
  }
  await market.mineEmptyBlocks(finalityBlocks);
  const made = { tokens: market.created, trades: market.trades, transactions: market.transactions };

  const [head, snapshot] = await rpc<[Hex, Hex]>([["eth_blockNumber"], ["evm_snapshot"]]);
  const live: PlannedBlock[] = [];
  while (live.length < liveBlocks) live.push(await market.nextBlock(liveCreations));
  await rpc([["evm_revert", [snapshot]]]);
  await node.process.stop();
  return { deployment, head: Number(head), ...made, live };
}
