import { type Address, getAbiItem, type Hex, numberToHex, parseEther, toEventSelector } from "viem";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import type { LaunchpadDeployment } from "../../../contracts/deploy.ts";
import { createActions, type Transaction } from "../../../local/market/actions.ts";
import { createRandom } from "../../../local/market/random.ts";
import type { Rpc, RpcCall } from "../../../local/market/rpc.ts";
import { createMarketView } from "../../../local/market/view.ts";
import { createCrowd, crowdAddresses } from "./crowd.ts";

type OrderedTransaction = Transaction & { nonce: Hex };

/** A block that can be mined again on the same state with the same result. */
export type PlannedBlock = { timestamp: number; transactions: OrderedTransaction[] };

/** So few that the chain is younger than a day: tokens without an event in the last day are followed in another way (bench/follow). */
const secondsPerBlock = 120;
const seed = 5_656;

const tradeTopics = [
  toEventSelector(getAbiItem({ abi: launchpadAbi, name: "Trade" })),
  toEventSelector(getAbiItem({ abi: dexPairAbi, name: "Swap" })),
];

type MarketSize = { traders: number; transactionsPerBlock: number };

/** Opens a market on a chain that only mines on request. */
export async function openMarket(rpc: Rpc, deployment: LaunchpadDeployment, size: MarketSize) {
  const { transactionsPerBlock } = size;
  const random = createRandom(seed);
  const view = createMarketView(rpc);
  const traders = crowdAddresses(size.traders);
  const crowd = createCrowd(view, createActions(deployment, random), random, traders);
  const nonces = new Map<Address, number>();
  const total = { created: 0, trades: 0, transactions: 0 };

  const balance = numberToHex(parseEther("1000"));
  await rpc(traders.map((trader): RpcCall => ["anvil_setBalance", [trader, balance]]));
  await impersonate(rpc);
  const [{ timestamp: start }] = await rpc<[{ timestamp: Hex }]>([
    ["eth_getBlockByNumber", ["latest", false]],
  ]);
  let timestamp = Number(start);

  // The node processes a batch concurrently: nonces and falling gas prices keep the transactions in order.
  function inOrder(transactions: Transaction[]): OrderedTransaction[] {
    return transactions.map((transaction, index) => {
      const nonce = nonces.get(transaction.from) ?? 0;
      nonces.set(transaction.from, nonce + 1);
      const gasPrice = numberToHex(10 ** 9 + transactions.length - index);
      return { ...transaction, nonce: numberToHex(nonce), gasPrice };
    });
  }

  async function countTrades(): Promise<number> {
    const range = { fromBlock: "latest", toBlock: "latest", topics: [tradeTopics] };
    const [logs] = await rpc<[unknown[]]>([["eth_getLogs", [range]]]);
    return logs.length;
  }

  return {
    get created() {
      return total.created;
    },
    get trades() {
      return total.trades;
    },
    get transactions() {
      return total.transactions;
    },
    /** Mines a block that creates this many tokens. */
    async nextBlock(creations: number): Promise<PlannedBlock> {
      const transactions = Array.from({ length: creations }, () => crowd.create()).flat();
      while (view.tokens.size > 0 && transactions.length < transactionsPerBlock) {
        transactions.push(...crowd.act());
      }
      timestamp += secondsPerBlock;
      const block = { timestamp, transactions: inOrder(transactions) };
      await mine(rpc, block);
      await view.refresh();
      crowd.update();
      total.created += creations;
      total.trades += await countTrades();
      total.transactions += transactions.length;
      return block;
    },
    /** Lets time pass without any trade. */
    async mineEmptyBlocks(blocks: number): Promise<void> {
      await rpc([["anvil_mine", [numberToHex(blocks), numberToHex(secondsPerBlock)]]]);
      timestamp += blocks * secondsPerBlock;
    },
  };
}

/** Lets the node accept transactions from accounts without keys. */
export async function impersonate(rpc: Rpc): Promise<void> {
  await rpc([["anvil_autoImpersonateAccount", [true]]]);
}

export async function mine(rpc: Rpc, { timestamp, transactions }: PlannedBlock): Promise<void> {
  await rpc(transactions.map((transaction): RpcCall => ["eth_sendTransaction", [transaction]]));
  await rpc([["evm_mine", [numberToHex(timestamp)]]]);
}
