import { type Address, getAbiItem, type Hex, keccak256, numberToHex, toEventSelector, toHex } from "viem";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { type Actions, createActions, type Transaction } from "../../local/market/actions.ts";
import { createRandom, type Random } from "../../local/market/random.ts";
import { createMarketView, type MarketToken, type MarketView } from "../../local/market/view.ts";
import type { ChainNode, PlannedBlock } from "./node.ts";

/** So few that the chain is younger than a day: tokens without an event in the last day are followed in another way (bench/follow). */
const secondsPerBlock = 120;
const seed = 5_656;
/** The fraction of tokens that are popular (0 to 1). They get most of the trades, and some of them graduate. */
const hotShare = 0.05;
/** The number of tokens that are popular at a time. */
const hotAtOnce = 40;

const tradeTopics = [
  toEventSelector(getAbiItem({ abi: launchpadAbi, name: "Trade" })),
  toEventSelector(getAbiItem({ abi: dexPairAbi, name: "Swap" })),
];

type MarketSize = { traders: number; transactionsPerBlock: number };

/** The accounts that trade. They have no keys: anvil impersonates them. */
export function traderAddresses(size: number): Address[] {
  return Array.from(
    { length: size },
    (_, index) => `0x${keccak256(toHex(`benchmark trader ${index}`)).slice(26)}` as const,
  );
}

/** Opens a market on a chain that only mines on request. */
export async function openSimulatedMarket(
  node: ChainNode,
  deployment: LaunchpadDeployment,
  { traders: traderCount, transactionsPerBlock }: MarketSize,
) {
  const { rpc } = node;
  const random = createRandom(seed);
  const view = createMarketView(rpc);
  const traders = traderAddresses(traderCount);
  const crowd = createCrowd(view, createActions(deployment, random), random, traders);
  const nonces = new Map<Address, number>();
  const total = { created: 0, trades: 0, transactions: 0 };

  await node.fund(traders);
  const [{ timestamp: start }] = await rpc<[{ timestamp: Hex }]>([
    ["eth_getBlockByNumber", ["latest", false]],
  ]);
  let timestamp = Number(start);

  // The node processes a batch concurrently: nonces and falling gas prices keep the transactions in order.
  function inOrder(transactions: Transaction[]): PlannedBlock["transactions"] {
    return transactions.map((transaction, index) => {
      const nonce = nonces.get(transaction.from) ?? 0;
      nonces.set(transaction.from, nonce + 1);
      const gasPrice = numberToHex(10 ** 9 + transactions.length - index);
      return { ...transaction, nonce: numberToHex(nonce), gasPrice };
    });
  }

  return {
    /** The tokens, trades and transactions so far. */
    total,
    /** Mines a block that creates this many tokens. */
    async nextBlock(creations: number): Promise<PlannedBlock> {
      const transactions = Array.from({ length: creations }, () => crowd.create()).flat();
      while (view.tokens.size > 0 && transactions.length < transactionsPerBlock) {
        transactions.push(...crowd.act());
      }
      timestamp += secondsPerBlock;
      const block = { timestamp, transactions: inOrder(transactions) };
      await node.mine(block);
      await view.refresh();
      crowd.update();
      const range = { fromBlock: "latest", toBlock: "latest", topics: [tradeTopics] };
      const [trades] = await rpc<[unknown[]]>([["eth_getLogs", [range]]]);
      total.created += creations;
      total.trades += trades.length;
      total.transactions += transactions.length;
      return block;
    },
    /** Lets time pass without any trade. */
    async mineEmptyBlocks(blocks: number): Promise<void> {
      await node.mineEmptyBlocks(blocks, secondsPerBlock);
      timestamp += blocks * secondsPerBlock;
    },
  };
}

/**
 * Decides which trader does what in the next block. Like the local stack's market, except that the cost of an action doesn't grow
 * with the number of traders and tokens.
 */
function createCrowd(view: MarketView, actions: Actions, random: Random, traders: Address[]) {
  const isTrader = new Set(traders);
  const tokens: MarketToken[] = [];
  const hot: MarketToken[] = [];
  /** Holdings that have been spent in this block. */
  const spent = new Set<string>();

  // A few traders trade all the time, most only once in a while.
  const pickTrader = () => traders[Math.floor(traders.length * random.fraction() ** 2)] as Address;

  function pickToken(): MarketToken {
    if (hot.length > 0 && random.chance(0.6)) {
      return random.chance(0.7) ? random.pick(hot.slice(-hotAtOnce)) : random.pick(hot);
    }
    return tokens[tokens.length - 1 - Math.floor(tokens.length * random.fraction() ** 2)] as MarketToken;
  }

  function pickHolding(token: MarketToken): [Address, bigint] | undefined {
    const holdings = [...token.balances].filter(
      ([account, balance]) =>
        balance > 0n && isTrader.has(account) && !spent.has(`${token.address} ${account}`),
    );
    return holdings.length > 0 ? random.pick(holdings) : undefined;
  }

  const share = (balance: bigint, percent: number) => (balance * BigInt(percent)) / 100n || balance;

  return {
    /** Updates the state after a mined block. */
    update(): void {
      spent.clear();
      for (const token of [...view.tokens.values()].slice(tokens.length)) {
        tokens.push(token);
        if (random.chance(hotShare)) hot.push(token);
      }
    },
    create: (): Transaction[] => actions.create(pickTrader()),
    act(): Transaction[] {
      const trader = pickTrader();
      const token = pickToken();
      const kind = random.fraction();
      const buy = () => actions.buy(token, trader, random.around(0.0012, 0.9));
      if (kind < 0.6) return buy();

      const holding = pickHolding(token);
      if (holding === undefined) return buy();
      const [holder, balance] = holding;
      spent.add(`${token.address} ${holder}`);
      if (kind < 0.9) return actions.sell(token, holder, share(balance, random.pick([10, 25, 50, 100])));
      return actions.transfer(token, holder, trader, share(balance, random.integer(1, 60)));
    },
  };
}
