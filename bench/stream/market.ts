import { type Address, type Hex, numberToHex, parseEther, parseEventLogs, type RpcLog } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { deployLaunchpad, type LaunchpadDeployment } from "../../contracts/deploy.ts";
import { testKey } from "../../local/anvil.ts";
import { createActions } from "../../local/market/actions.ts";
import { createRandom } from "../../local/market/random.ts";
import type { RpcCall } from "../../local/market/rpc.ts";
import { createSender } from "../../local/market/sender.ts";
import type { MarketToken } from "../../local/market/view.ts";
import { crowdAddresses } from "../index/chain/crowd.ts";
import { impersonate } from "../index/chain/market.ts";
import type { ChainNode } from "../index/chain/node.ts";

const seed = 5_656;
const tokenCount = 20;
/** The amount of each buy in BNB, small enough that no token graduates. */
const stake = 0.000001;

export type Market = {
  deployment: LaunchpadDeployment;
  /** The tokens that are traded. */
  tokens: Address[];
  /** Mines a block with this many trades. Resolves to its number and the Unix time in milliseconds at which it was mined. */
  mine(trades: number): Promise<{ block: number; minedAt: number }>;
};

/** Deploys the contracts and creates tokens. */
export async function openMarket({ rpc, rpcUrl }: ChainNode): Promise<Market> {
  await rpc([["evm_setAutomine", [true]]]);
  const deployment = await deployLaunchpad({ rpcUrl, account: privateKeyToAccount(testKey) });
  await rpc([["evm_setAutomine", [false]]]);
  await impersonate(rpc);
  const random = createRandom(seed);
  const actions = createActions(deployment, random);
  const traders = crowdAddresses(100);
  const balance = numberToHex(parseEther("1000"));
  await rpc(traders.map((trader): RpcCall => ["anvil_setBalance", [trader, balance]]));
  const send = createSender(rpc);

  await send(traders.slice(0, tokenCount).flatMap((creator) => actions.create(creator)));
  await rpc([["evm_mine"]]);
  const range = { fromBlock: "0x0", toBlock: "latest", address: deployment.tokenFactory };
  const [logs] = await rpc<[RpcLog[]]>([["eth_getLogs", [range]]]);
  const created = parseEventLogs({ abi: tokenFactoryAbi, eventName: "TokenCreated", logs });
  const tokens = created.map(({ args }) => plainToken(args.token));

  return {
    deployment,
    tokens: tokens.map(({ address }) => address),
    async mine(trades) {
      await send(
        Array.from({ length: trades }, () =>
          actions.buy(random.pick(tokens), random.pick(traders), stake),
        ).flat(),
      );
      await rpc([["evm_mine"]]);
      const minedAt = performance.timeOrigin + performance.now();
      const [block] = await rpc<[{ number: Hex; transactions: Hex[] }]>([
        ["eth_getBlockByNumber", ["latest", false]],
      ]);
      if (block.transactions.length !== trades) {
        throw new Error(
          `block ${Number(block.number)} has ${block.transactions.length} trades, not ${trades}`,
        );
      }
      return { block: Number(block.number), minedAt };
    },
  };
}

/** A token with the fields that buying it needs. */
function plainToken(address: Address): MarketToken {
  return {
    address,
    creator: address,
    name: "",
    symbol: "",
    burnPercent: 50,
    graduated: false,
    pair: undefined,
    balances: new Map(),
    approvals: new Set(),
  };
}
