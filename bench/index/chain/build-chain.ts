import { type Address, getAbiItem, type Hex, numberToHex, parseEther, toEventSelector } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { deployLaunchpad, type LaunchpadDeployment } from "../../../contracts/deploy.ts";
import { testKey } from "../../../local/anvil.ts";
import { createActions, type Transaction } from "../../../local/market/actions.ts";
import { createRandom } from "../../../local/market/random.ts";
import type { Rpc, RpcCall } from "../../../local/market/rpc.ts";
import { createMarketView } from "../../../local/market/view.ts";
import type { Crew } from "../crew.ts";
import { createCrowd, crowdAddresses } from "./crowd.ts";
import { genesisTime, startNode } from "./node.ts";

export type ChainSize = { tokens: number; trades: number };

type OrderedTransaction = Transaction & { nonce: Hex };

/** A block that is yet to be mined. */
export type PlannedBlock = { timestamp: number; transactions: OrderedTransaction[] };

export type BuiltChain = {
  deployment: LaunchpadDeployment;
  /** The last block, some empty ones after the last trade. */
  head: number;
  tokens: number;
  trades: number;
  transactions: number;
  /** What follows on the chain when it is watched live. */
  live: PlannedBlock[];
};

export type BuildOptions = ChainSize & { stateFile: string; onProgress(done: number, total: number): void };

const seed = 5_656;
const transactionsPerBlock = 250;
const liveBlocks = 20;
const secondsPerBlock = 300;
/** Ponder takes a block for final after 30 more; what is not final is no part of a backfill. */
const finalityBlocks = 40;

const tradeTopics = [
  toEventSelector(getAbiItem({ abi: launchpadAbi, name: "Trade" })),
  toEventSelector(getAbiItem({ abi: dexPairAbi, name: "Swap" })),
];

/** Makes the chain block by block, writes it to the state file, and plans the blocks that come after. */
export async function buildChain(crew: Crew, options: BuildOptions): Promise<BuiltChain> {
  const { tokens, trades, stateFile, onProgress } = options;
  const { rpc, rpcUrl, process } = await startNode(crew, ["--dump-state", stateFile]);
  await rpc([["evm_setAutomine", [true]]]);
  const deployment = await deployLaunchpad({ rpcUrl, account: privateKeyToAccount(testKey) });
  await rpc([["evm_setAutomine", [false]]]);
  const traders = crowdAddresses(Math.max(100, Math.ceil(trades / 20)));
  await wake(rpc, traders);

  const random = createRandom(seed);
  const view = createMarketView(rpc);
  const crowd = createCrowd(view, createActions(deployment, random), random, traders);
  let made = { created: 0, trades: 0, transactions: 0, blocks: 0 };
  let head = 0;
  const nonces = new Map<Address, number>();

  // The node takes the calls of a batch side by side: nonces and a falling price keep them in their order.
  function inOrder(transactions: Transaction[]): OrderedTransaction[] {
    return transactions.map((transaction, index) => {
      const nonce = nonces.get(transaction.from) ?? 0;
      nonces.set(transaction.from, nonce + 1);
      const gasPrice = numberToHex(10 ** 9 + transactions.length - index);
      return { ...transaction, nonce: numberToHex(nonce), gasPrice };
    });
  }

  async function next(creations: number): Promise<PlannedBlock> {
    const transactions = Array.from({ length: creations }, () => crowd.create()).flat();
    while (view.tokens.size > 0 && transactions.length < transactionsPerBlock) transactions.push(...crowd.act());
    made = {
      ...made,
      created: made.created + creations,
      transactions: made.transactions + transactions.length,
      blocks: made.blocks + 1,
    };
    const block = { timestamp: genesisTime + 3_600 + made.blocks * secondsPerBlock, transactions: inOrder(transactions) };
    await mine(rpc, block);
    await view.refresh();
    crowd.look();
    return block;
  }
  async function countTrades(): Promise<void> {
    const [[number], ] = [await rpc<[Hex]>([["eth_blockNumber"]])];
    const [logs] = await rpc<[unknown[]]>([
      ["eth_getLogs", [{ fromBlock: number, toBlock: number, topics: [tradeTopics] }]],
    ]);
    head = Number(number);
    made.trades += logs.length;
  }

  const firstTokens = Math.min(tokens, 20);
  await next(firstTokens);
  await countTrades();
  while (made.trades < trades || made.created < tokens) {
    // As many tokens as the trades so far ask for, so that both come to their end together.
    const due = Math.ceil(firstTokens + (tokens - firstTokens) * Math.min(1, made.trades / (0.98 * trades)));
    await next(Math.min(due - made.created, transactionsPerBlock));
    await countTrades();
    onProgress(Math.min(made.trades, trades), trades);
  }
  await rpc([["anvil_mine", [numberToHex(finalityBlocks), numberToHex(secondsPerBlock)]]]);
  return { deployment, head, ...made, tokens: made.created, live: [] };
}

export async function wake(rpc: Rpc, traders: string[]): Promise<void> {
  const balance = numberToHex(parseEther("1000"));
  await rpc([
    ["anvil_autoImpersonateAccount", [true]],
    ...traders.map((trader): RpcCall => ["anvil_setBalance", [trader, balance]]),
  ]);
}

export async function mine(rpc: Rpc, { timestamp, transactions }: PlannedBlock): Promise<void> {
  await rpc([
    ...transactions.map((transaction): RpcCall => ["eth_sendTransaction", [transaction]]),
    ["evm_setNextBlockTimestamp", [numberToHex(timestamp)]],
    ["evm_mine"],
  ]);
}
