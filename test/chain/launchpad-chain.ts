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
import { installMulticall } from "./multicall.ts";

/** 0.05 BNB, the amount that graduates a token. */
export const graduatingAmount = 5n * 10n ** 16n;

const farFuture = 2n ** 40n;

export type LaunchpadChain = Awaited<ReturnType<typeof startLaunchpadChain>>;

export type LaunchpadChainOptions = {
  /** Default 56. */
  chainId?: number;
  /** The deployer's first nonce, which determines contract and token addresses. Default 0: the same addresses on all chains. */
  firstNonce?: number;
  /** How many hours ago the chain began. Simulated trading is spread over them. Default 0. */
  hours?: number;
  /** Deploys the DEX that tokens graduate to. Default: Uniswap V2. */
  deployDex?: (options: { rpcUrl: string; account: Account }) => Promise<DexAddresses>;
  /** Deploys the contracts. Default: the current ones. */
  deployContracts?: typeof deployLaunchpad;
};

/** Starts an anvil with Multicall3 and the launchpad's contracts. Every transaction gets its own block, except in simulated trading. */
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
  await installMulticall(anvil);
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
    // Without a block time it has already been mined. Waiting would poll for blocks as well.
    const receipt = await publicClient
      .getTransactionReceipt({ hash })
      .catch(() => publicClient.waitForTransactionReceipt({ hash }));
    if (receipt.status === "reverted") throw new Error(`reverted: ${hash}`);
    return receipt;
  }

  function call(from: Address, to: Address, abi: Abi, functionName: string, args: unknown[], value = 0n) {
    return send(from, to, encodeFunctionData({ abi, functionName, args }), value);
  }

  /** Lets the DEX's router take these tokens, unless it already may. */
  async function allowRouter(owner: Address, token: Address): Promise<void> {
    const [router, abi] = [deployment.router, launchTokenAbi];
    const args = [owner, router] as const;
    const allowed = await publicClient.readContract({ address: token, abi, functionName: "allowance", args });
    if (allowed < maxUint256) await call(owner, token, abi, "approve", [router, maxUint256]);
  }

  return {
    ...anvil,
    deployment,
    traders: traders as [Address, Address, Address, ...Address[]],
    /** Sends a transaction to the node and returns its hash, without waiting for it to be mined. */
    submit,
    /** Sends a transaction and returns its receipt. Throws if it reverts. */
    send,
    /** The configuration with which an indexer indexes this chain. */
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
    /** Adds liquidity in the ratio of the pair's reserves, as much as the two amounts allow. */
    /** @param to who gets the pair's liquidity tokens */
    async addLiquidity(from: Address, token: Address, tokens: bigint, bnb: bigint, to = from) {
      await allowRouter(from, token);
      const args = [token, tokens, 0n, 0n, to, farFuture];
      return await call(from, deployment.router, dexRouterAbi, "addLiquidityETH", args, bnb);
    },
    /** @param liquidity LP tokens, which are ERC-20 tokens of the pair */
    async removeLiquidity(from: Address, token: Address, pair: Address, liquidity: bigint) {
      await allowRouter(from, pair);
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
    /** Lets 120 simulated traders trade at random, with many transactions per block. */
    async trade(seed: number, size: HistorySize): Promise<void> {
      await testClient.setAutomine(false);
      await makeHistory({ rpcUrl, deployment, seed, size });
      await testClient.setAutomine(true);
    },
    /** The number of transactions on the chain, including reverted ones. */
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

/** Returns the chain as an indexer sees it that only reaches it through these endpoints: one, or several separated by commas. */
export function reachedThrough<Chain extends LaunchpadChain>(rpcUrl: string, chain: Chain): Chain {
  return { ...chain, indexed: () => ({ ...chain.indexed(), rpcUrl, webSocketUrl: undefined }) };
}
