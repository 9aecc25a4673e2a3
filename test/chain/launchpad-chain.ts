import {
  type Abi,
  type Account,
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseEventLogs,
} from "viem";
import { dexFactoryAbi } from "../../abis/DexFactory.ts";
import { dexRouterAbi } from "../../abis/DexRouter.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { type DexAddresses, deployLaunchpad } from "../../contracts/deploy.ts";
import { type HistorySize, makeHistory } from "../../local/market/history.ts";
import type { IndexedChain } from "../service/indexer.ts";
import { startAnvil } from "./anvil.ts";

/** 0.05 BNB, which graduates a token. */
export const graduatingAmount = 5n * 10n ** 16n;

const farFuture = 2n ** 40n;

export type LaunchpadChain = Awaited<ReturnType<typeof startLaunchpadChain>>;

export type LaunchpadChainOptions = {
  /** Default 56. */
  chainId?: number;
  /** The deployer's first nonce, from which the addresses of contracts and tokens follow. Default 0: the same on all chains. */
  firstNonce?: number;
  /** How many hours ago the chain began, over which a history spreads. Default 0. */
  hours?: number;
  /** Deploys the DEX that tokens graduate to. Default: Uniswap V2. */
  deployDex?: (options: { rpcUrl: string; account: Account }) => Promise<DexAddresses>;
  /** Deploys the contracts. Default: the present ones. */
  deployContracts?: typeof deployLaunchpad;
};

/** An anvil with the contracts on it. Every transaction gets a block of its own unless a history is made. */
export async function startLaunchpadChain({
  chainId = 56,
  firstNonce = 0,
  hours = 0,
  deployDex,
  deployContracts = deployLaunchpad,
}: LaunchpadChainOptions = {}) {
  const anvil = await startAnvil({
    chainId,
    args: [
      ...["--gas-limit", "200000000", "--block-base-fee-per-gas", "0"],
      ...["--timestamp", String(Math.floor(Date.now() / 1_000) - 3_600 * hours)],
    ],
  });
  const { testClient, publicClient, rpcUrl } = anvil;
  const [deployer, ...accounts] = anvil.accounts;
  if (deployer === undefined) throw new Error("anvil has no accounts");
  if (firstNonce > 0) await testClient.setNonce({ address: deployer.address, nonce: firstNonce });
  const dex = await deployDex?.({ rpcUrl, account: deployer });
  const deployment = await deployContracts({ rpcUrl, account: deployer, dex });
  await testClient.setAutomine(true);
  const traders = accounts.map(({ address }) => address);

  function submit(from: Address, to: Address, data: Hex, value = 0n): Promise<Hex> {
    return testClient.request({
      method: "eth_sendTransaction",
      params: [{ from, to, data, value: `0x${value.toString(16)}`, gas: "0x7a1200" }],
    } as never);
  }

  async function send(from: Address, to: Address, data: Hex, value = 0n) {
    const hash = await submit(from, to, data, value);
    // Without a block time it is mined already. To wait is to ask for blocks besides.
    const receipt = await publicClient
      .getTransactionReceipt({ hash })
      .catch(() => publicClient.waitForTransactionReceipt({ hash }));
    if (receipt.status === "reverted") throw new Error(`reverted: ${hash}`);
    return receipt;
  }

  function call(from: Address, to: Address, abi: Abi, functionName: string, args: unknown[], value = 0n) {
    return send(from, to, encodeFunctionData({ abi, functionName, args }), value);
  }

  return {
    ...anvil,
    deployment,
    traders: traders as [Address, Address, Address, ...Address[]],
    /** Hands a transaction to the node and returns its hash, mined or not. */
    submit,
    /** Sends a transaction and returns its receipt. Throws when it reverts. */
    send,
    /** What an indexer needs to index this chain. */
    indexed(): IndexedChain {
      return { chainId, rpcUrl, webSocketUrl: rpcUrl.replace("http:", "ws:"), deployment };
    },
    async create(from: Address, name = "Brave Otter", symbol = "OTTER", burnPercent = 50): Promise<Address> {
      const { logs } = await call(from, deployment.tokenFactory, tokenFactoryAbi, "createToken", [
        name,
        symbol,
        burnPercent,
      ]);
      const [event] = parseEventLogs({ abi: tokenFactoryAbi, eventName: "TokenCreated", logs });
      if (event === undefined) throw new Error("no TokenCreated");
      return event.args.token;
    },
    buy: (from: Address, token: Address, value: bigint) =>
      call(from, deployment.launchpad, launchpadAbi, "buy", [token, 0n, farFuture], value),
    async sell(from: Address, token: Address, amount: bigint) {
      await call(from, token, launchTokenAbi, "approve", [deployment.launchpad, maxUint256]);
      return await call(from, deployment.launchpad, launchpadAbi, "sell", [token, amount, 0n, farFuture]);
    },
    transfer: (from: Address, token: Address, to: Address, amount: bigint) =>
      call(from, token, launchTokenAbi, "transfer", [to, amount]),
    burn: (from: Address, token: Address, amount: bigint) =>
      call(from, token, launchTokenAbi, "burn", [amount]),
    buyOnDex: (from: Address, token: Address, value: bigint) =>
      call(
        from,
        deployment.router,
        dexRouterAbi,
        "swapExactETHForTokens",
        [0n, [deployment.wbnb, token], from, farFuture],
        value,
      ),
    async sellOnDex(from: Address, token: Address, amount: bigint) {
      await call(from, token, launchTokenAbi, "approve", [deployment.router, maxUint256]);
      const path = [token, deployment.wbnb];
      return await call(from, deployment.router, dexRouterAbi, "swapExactTokensForETH", [
        amount,
        0n,
        path,
        from,
        farFuture,
      ]);
    },
    /** Adds both sides in the ratio of the pair's reserves, of each as much as these allow. */
    async addLiquidity(from: Address, token: Address, tokens: bigint, bnb: bigint) {
      await call(from, token, launchTokenAbi, "approve", [deployment.router, maxUint256]);
      const args = [token, tokens, 0n, 0n, from, farFuture];
      return await call(from, deployment.router, dexRouterAbi, "addLiquidityETH", args, bnb);
    },
    /** @param liquidity LP tokens, which are ERC-20 tokens of the pair */
    async removeLiquidity(from: Address, token: Address, pair: Address, liquidity: bigint) {
      await call(from, pair, launchTokenAbi, "approve", [deployment.router, maxUint256]);
      const args = [token, liquidity, 0n, 0n, from, farFuture];
      return await call(from, deployment.router, dexRouterAbi, "removeLiquidityETH", args);
    },
    pairOf: (token: Address) =>
      publicClient.readContract({
        address: deployment.dexFactory,
        abi: dexFactoryAbi,
        functionName: "getPair",
        args: [token, deployment.wbnb],
      }),
    balanceOf: (token: Address, account: Address) =>
      publicClient.readContract({
        address: token,
        abi: launchTokenAbi,
        functionName: "balanceOf",
        args: [account],
      }),
    /** Random trading by 120 simulated traders, many transactions a block. */
    async trade(seed: number, size: HistorySize): Promise<void> {
      await testClient.setAutomine(false);
      await makeHistory({ rpcUrl, deployment, seed, size });
      await testClient.setAutomine(true);
    },
    /** Transactions on the chain, those that reverted included. */
    async transactionCount(): Promise<number> {
      const head = await publicClient.getBlockNumber({ cacheTime: 0 });
      const numbers = Array.from({ length: Number(head) + 1 }, (_, number) => BigInt(number));
      const counts = await Promise.all(
        numbers.map((blockNumber) => publicClient.getBlockTransactionCount({ blockNumber })),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    head: () => publicClient.getBlockNumber({ cacheTime: 0 }),
  };
}

/** The same chain, which an indexer reaches through these endpoints alone: one or several, with commas between them. */
export function reachedThrough<Chain extends LaunchpadChain>(rpcUrl: string, chain: Chain): Chain {
  return { ...chain, indexed: () => ({ ...chain.indexed(), rpcUrl, webSocketUrl: undefined }) };
}
