import { type Address, type Hex, numberToHex, parseEther } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { createActions, type Transaction } from "./actions.ts";
import { answererAddress, openPriceFeed } from "./price-feed.ts";
import { createRandom } from "./random.ts";
import { createRpc, createSender, type RpcCall } from "./rpc.ts";
import { createTraders, traderAddresses } from "./traders.ts";
import { createMarketView } from "./view.ts";

/** Length of the history in days. */
export const historyDays = 7;

/** The size of the history: blocks, actions per block, and the probability that an action creates a token (0 to 1). */
export type HistorySize = { blocks: number; actionsPerBlock: number; creations: number };

const defaultSize: HistorySize = { blocks: 720, actionsPerBlock: 6, creations: 0.012 };
const firstTokens = 12;
/** The probability that a block contains an answer of the price feed (0 to 1). */
const answerChance = 0.25;

export type HistoryOptions = {
  rpcUrl: string;
  deployment: LaunchpadDeployment;
  /** The proxy of a local price feed, if its answers are to be simulated. */
  priceFeed?: Address;
  seed: number;
  size?: HistorySize;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
};

/**
 * Fills the chain with trades from its last block up to now, setting the time of each block. The node must not mine blocks
 * by itself meanwhile. Throws if the node rejects a transaction.
 */
export async function makeHistory(options: HistoryOptions): Promise<void> {
  const { rpcUrl, deployment, priceFeed, seed, size = defaultSize, onProgress, signal } = options;
  const { blocks, actionsPerBlock, creations } = size;
  const rpc = createRpc(rpcUrl);
  const send = createSender(rpc);
  const random = createRandom(seed);
  const view = createMarketView(rpc);
  const traders = createTraders(view, createActions(deployment, random), random);

  await fundTraders(rpcUrl);
  const [block] = await rpc<[{ timestamp: Hex }]>([["eth_getBlockByNumber", ["latest", false]]]);
  const start = Number(block.timestamp) + 1;
  const now = Math.floor(Date.now() / 1000);

  // A separate random source, so that a seed gives the same trades with and without a feed.
  const dice = createRandom(seed + 1);
  const feed = priceFeed === undefined ? undefined : await openPriceFeed(rpc, priceFeed, dice);

  for (let done = 0; done < blocks; done++) {
    signal?.throwIfAborted();
    const busy = new Set<Address>();
    const transactions: Transaction[] =
      feed !== undefined && dice.chance(answerChance) ? [feed.answer()] : [];
    for (let index = 0; index < actionsPerBlock; index++) {
      transactions.push(...traders.act(busy, view.tokens.size < firstTokens ? 0.5 : creations));
    }
    // Slightly uneven, so that blocks aren't mined at fixed intervals.
    const timestamp = start + Math.floor(((now - start) * (done + 0.9 * random.fraction())) / blocks);
    await send(transactions);
    await rpc([["evm_mine", [{ timestamp, blocks: 1 }]]]);
    await view.refresh();
    onProgress?.(done + 1, blocks);
  }
  // From here on the chain uses the real time.
  await rpc([["anvil_setTime", [Math.floor(Date.now() / 1000)]]]);
  await rpc([["evm_mine"]]);
}

/** Gives the simulated traders and the price feed's account enough BNB for years, and lets them send transactions without keys. */
export async function fundTraders(rpcUrl: string): Promise<void> {
  const balance = numberToHex(parseEther("1000"));
  await createRpc(rpcUrl)([
    ["anvil_autoImpersonateAccount", [true]],
    ...[...traderAddresses, answererAddress].map(
      (account): RpcCall => ["anvil_setBalance", [account, balance]],
    ),
  ]);
}
