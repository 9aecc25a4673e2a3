import type { Address, Hex } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { createActions } from "../../local/market/actions.ts";
import { createRandom } from "../../local/market/random.ts";
import { createSender } from "../../local/market/rpc.ts";
import { createMarketView } from "../../local/market/view.ts";
import type { ChainNode } from "./node.ts";
import { now } from "./process.ts";
import { traderAddresses } from "./simulated-market.ts";

const seed = 5_656;
/** The number of tokens on the chain. */
export const liveTokens = 20;
/** The amount of each buy in BNB, small enough that no token graduates. */
const stake = 0.000001;

export type MinedBlock = { block: number; at: number };

export type LiveMarket = {
  deployment: LaunchpadDeployment;
  /** The tokens that are traded. */
  tokens: Address[];
  /** Mines a block with this many trades. Resolves to its number and the Unix time in milliseconds at which it was mined. */
  mine(trades: number): Promise<MinedBlock>;
};

/** Deploys the contracts, and creates tokens to trade in the blocks that a benchmark follows. */
export async function openLiveMarket(node: ChainNode): Promise<LiveMarket> {
  const { rpc } = node;
  const deployment = await node.deploy();
  const random = createRandom(seed);
  const actions = createActions(deployment, random);
  const traders = traderAddresses(100);
  await node.fund(traders);
  const send = createSender(rpc);

  await send(traders.slice(0, liveTokens).flatMap((creator) => actions.create(creator)));
  await rpc([["evm_mine"]]);
  const view = createMarketView(rpc);
  await view.refresh();
  const tokens = [...view.tokens.values()];

  return {
    deployment,
    tokens: tokens.map(({ address }) => address),
    async mine(trades) {
      const buy = () => actions.buy(random.pick(tokens), random.pick(traders), stake);
      await send(Array.from({ length: trades }, buy).flat());
      await rpc([["evm_mine"]]);
      const at = now();
      const [block] = await rpc<[{ number: Hex; transactions: Hex[] }]>([
        ["eth_getBlockByNumber", ["latest", false]],
      ]);
      const { length } = block.transactions;
      if (length !== trades)
        throw new Error(`block ${Number(block.number)} has ${length} trades, not ${trades}`);
      return { block: Number(block.number), at };
    },
  };
}
