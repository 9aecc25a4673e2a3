import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";
import { createActions, type Transaction } from "../../local/market/actions.ts";
import { fundTraders } from "../../local/market/history.ts";
import { createRandom } from "../../local/market/random.ts";
import { createRpc } from "../../local/market/rpc.ts";
import { createSender } from "../../local/market/sender.ts";
import { createTraders } from "../../local/market/traders.ts";
import { createMarketView } from "../../local/market/view.ts";
import type { LaunchpadChain } from "./launchpad-chain.ts";
import { createRandomLiquidity } from "./random-liquidity.ts";

export type Trading = {
  blocks: number;
  /** What is done in each block; with approvals it is some more transactions. */
  actions: number;
  /** How likely one who acts creates a token, 0 to 1. */
  creations: number;
  /** Seconds from one block to the next. */
  pause: () => number;
};

export type RandomMarket = Awaited<ReturnType<typeof openRandomMarket>>;

const feedAbi = parseAbi(["function updateAnswer(int256 answer)"]);

/**
 * Trading by the simulated traders of the local stack, block by block, on a chain that may be taken back. The price feed answers
 * now and then, at first after some blocks.
 */
export async function openRandomMarket(chain: LaunchpadChain, seed: number, feed: Address) {
  const random = createRandom(seed);
  const rpc = createRpc(chain.rpcUrl);
  const actions = createActions(chain.deployment, random);
  // Has its own random source, so that the same seed gives the same trades without it.
  const changeLiquidity = createRandomLiquidity(rpc, chain.deployment, createRandom(seed + 1));
  let present = await look();
  await fundTraders(chain.rpcUrl);

  async function look() {
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
    return [...decided.flat(), ...(await changeLiquidity(present.view))];
  }

  function answer(): Transaction {
    const usd = BigInt(random.integer(500_00000000, 700_00000000));
    const data = encodeFunctionData({ abi: feedAbi, functionName: "updateAnswer", args: [usd] });
    const terms = { value: "0x0", gas: numberToHex(200_000), gasPrice: numberToHex(10 ** 9) } as const;
    // One that trades nothing here.
    return { from: chain.traders[8] as Address, to: feed, data, ...terms };
  }

  return {
    random,
    /** Returns what was sent, in its order. */
    async trade(trading: Trading): Promise<Transaction[]> {
      const sent: Transaction[] = [];
      for (let block = 0; block < trading.blocks; block++) {
        const transactions = await decide(trading);
        sent.push(...transactions);
        await mine(transactions, trading.pause());
      }
      return sent;
    },
    /** Mines the transactions in a random order, spread over the blocks, some of them not, and others among them. */
    async tradeAgain(transactions: Transaction[], { share, ...trading }: Trading & { share: number }) {
      const again = shuffled(transactions, random.integer).filter(() => random.chance(share));
      const perBlock = Math.ceil(again.length / trading.blocks);
      for (let block = 0; block < trading.blocks; block++) {
        const own = again.slice(block * perBlock, (block + 1) * perBlock);
        await mine(shuffled([...own, ...(await decide(trading))], random.integer), trading.pause());
      }
    },
    /** Takes notice that the chain was taken back. */
    async lookAgain(): Promise<void> {
      present = await look();
    },
    /** Lets the node replace its last blocks by as many others, with these transactions spread over them. */
    async replaceLast(blocks: number, transactions: Transaction[]): Promise<void> {
      const placed = transactions.map((transaction, index) => [
        transaction,
        Math.floor((index * blocks) / transactions.length),
      ]);
      await rpc([["anvil_reorg", [blocks, placed]]]);
      present = await look();
    },
  };
}

/** Every order is as likely (Fisher and Yates). */
function shuffled<Item>(items: Item[], integer: (minimum: number, maximum: number) => number): Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = integer(0, last);
    [order[last], order[other]] = [order[other] as Item, order[last] as Item];
  }
  return order;
}
