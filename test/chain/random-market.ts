import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";
import { createActions, type Transaction } from "../../local/market/actions.ts";
import { fundTraders } from "../../local/market/history.ts";
import { createRandom } from "../../local/market/random.ts";
import { createRpc, createSender } from "../../local/market/rpc.ts";
import { createTraders } from "../../local/market/traders.ts";
import { createMarketView } from "../../local/market/view.ts";
import { deployAgents } from "./agent.ts";
import type { LaunchpadChain } from "./launchpad-chain.ts";
import { createRandomAgents } from "./random-agents.ts";
import { createRandomLiquidity } from "./random-liquidity.ts";

export type Trading = {
  blocks: number;
  /** Actions per block. Approvals make it some more transactions. */
  actions: number;
  /** The probability that an action creates a token, 0 to 1. */
  creations: number;
  /** Returns the seconds until the next block. */
  pause: () => number;
};

export type RandomMarket = Awaited<ReturnType<typeof openRandomMarket>>;

const feedAbi = parseAbi(["function updateAnswer(int256 answer)"]);

/**
 * Trading by the local stack's simulated traders, block by block, on a chain that may reorganise. The price feed answers now and
 * then, for the first time after some blocks.
 */
export async function openRandomMarket(chain: LaunchpadChain, seed: number, feed: Address) {
  const random = createRandom(seed);
  const rpc = createRpc(chain.rpcUrl);
  const actions = createActions(chain.deployment, random);
  // Random sources of their own keep the other trades of a seed the same with and without them.
  const changeLiquidity = createRandomLiquidity(rpc, chain.deployment, createRandom(seed + 1));
  const agents = await deployAgents(chain, { from: chain.traders[8] as Address, count: 3 });
  const letAgentsTrade = createRandomAgents(chain.deployment, agents, createRandom(seed + 2));
  let present = await readState();
  await fundTraders(chain.rpcUrl);

  async function readState() {
    const view = createMarketView(rpc);
    await view.refresh();
    return { view, traders: createTraders(view, actions, random), send: createSender(rpc) };
  }

  async function mine(transactions: Transaction[], seconds: number): Promise<void> {
    const [last] = await rpc<[{ timestamp: Hex }]>([["eth_getBlockByNumber", ["latest", false]]]);
    await present.send(transactions);
    await rpc([["evm_mine", [{ timestamp: Number(last.timestamp) + seconds, blocks: 1 }]]]);
    await present.view.refresh();
  }

  async function decide({ actions: count, creations }: Trading): Promise<Transaction[]> {
    const busy = new Set<Hex>();
    const isEarly = present.view.tokens.size < 30;
    const decided = Array.from({ length: count }, () => present.traders.act(busy, isEarly ? 0.2 : creations));
    if (!isEarly && random.chance(0.4)) decided.splice(random.integer(0, count), 0, [answer()]);
    return [...decided.flat(), ...(await changeLiquidity(present.view)), ...letAgentsTrade(present.view)];
  }

  function answer(): Transaction {
    const usd = BigInt(random.integer(500_00000000, 700_00000000));
    const data = encodeFunctionData({ abi: feedAbi, functionName: "updateAnswer", args: [usd] });
    const terms = { value: "0x0", gas: numberToHex(200_000), gasPrice: numberToHex(10 ** 9) } as const;
    // An account that doesn't trade here.
    return { from: chain.traders[8] as Address, to: feed, data, ...terms };
  }

  return {
    random,
    /** Trades for some blocks, and returns the transactions in the order in which they were sent. */
    async trade(trading: Trading): Promise<Transaction[]> {
      const sent: Transaction[] = [];
      for (let block = 0; block < trading.blocks; block++) {
        const transactions = await decide(trading);
        sent.push(...transactions);
        await mine(transactions, trading.pause());
      }
      return sent;
    },
    /** Mines a random share of the transactions, shuffled, spread over the blocks, and mixed with new ones. */
    async tradeAgain(transactions: Transaction[], { share, ...trading }: Trading & { share: number }) {
      const again = shuffled(transactions, random.integer).filter(() => random.chance(share));
      const perBlock = Math.ceil(again.length / trading.blocks);
      for (let block = 0; block < trading.blocks; block++) {
        const own = again.slice(block * perBlock, (block + 1) * perBlock);
        await mine(shuffled([...own, ...(await decide(trading))], random.integer), trading.pause());
      }
    },
    /** Reads the state of the chain again, after blocks were removed from it. */
    async reloadState(): Promise<void> {
      present = await readState();
    },
    /** Makes the node replace its last blocks with as many others, over which these transactions are spread. */
    async replaceLast(blocks: number, transactions: Transaction[]): Promise<void> {
      const placed = transactions.map((transaction, index) => [
        transaction,
        Math.floor((index * blocks) / transactions.length),
      ]);
      await rpc([["anvil_reorg", [blocks, placed]]]);
      present = await readState();
    },
  };
}

/** A Fisher–Yates shuffle: every order is equally likely. */
function shuffled<Item>(items: Item[], integer: (minimum: number, maximum: number) => number): Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = integer(0, last);
    [order[last], order[other]] = [order[other] as Item, order[last] as Item];
  }
  return order;
}
