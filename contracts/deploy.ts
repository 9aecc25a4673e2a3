import { createRequire } from "node:module";
import {
  type Abi,
  type Account,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  walletActions,
} from "viem";
import { priceFeedAbi } from "../abis/PriceFeed.ts";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import { createRpcClient } from "../chain-access/rpc-client.ts";

/** A Uniswap V2 deployment, or a fork's: PancakeSwap V2 on BNB Smart Chain. */
export interface DexAddresses {
  dexFactory: Address;
  router: Address;
  wbnb: Address;
}

export interface LaunchpadDeployment extends DexAddresses {
  tokenFactory: Address;
  launchpad: Address;
  /** The block in which the factory was created: the first one to index. */
  startBlock: number;
}

interface DeployOptions {
  rpcUrl: string;
  /** The account that signs and pays. */
  account: Account;
  /** The DEX that tokens graduate to. Without it, one is deployed too. */
  dex?: DexAddresses;
}

const require = createRequire(import.meta.url);

/** Explicit gas limits, because a node estimates on its latest block, but these transactions depend on each other within one. */
const gasLimits = {
  wbnb: 1_500_000n,
  dexFactory: 4_000_000n,
  router: 6_000_000n,
  tokenFactory: 6_000_000n,
  priceFeed: 1_000_000n,
};

/**
 * Deploys TokenFactory, which deploys its Launchpad; first deploys a DEX if none is given. All transactions are sent at once, so a
 * chain with a block time needs one or two blocks. Throws if one of them fails.
 *
 * @example
 * const { tokenFactory, launchpad, startBlock } = await deployLaunchpad({ rpcUrl: "http://127.0.0.1:8545", account });
 */
export async function deployLaunchpad({ rpcUrl, account, dex }: DeployOptions): Promise<LaunchpadDeployment> {
  const { client, deploy, settle } = await createDeployer(rpcUrl, account);

  async function deployDex(): Promise<DexAddresses> {
    const wbnb = await deploy("@uniswap/v2-periphery/build/WETH9.json", [], gasLimits.wbnb);
    const dexFactory = await deploy(
      "@uniswap/v2-core/build/UniswapV2Factory.json",
      [account.address],
      gasLimits.dexFactory,
    );
    const router = await deploy(
      "@uniswap/v2-periphery/build/UniswapV2Router02.json",
      [dexFactory, wbnb],
      gasLimits.router,
    );
    return { dexFactory, router, wbnb };
  }

  const { dexFactory, router, wbnb } = dex ?? (await deployDex());
  const tokenFactory = await deploy(
    "./artifacts/TokenFactory.json",
    [dexFactory, router, wbnb],
    // With an existing DEX, the gas estimate fails on mismatched addresses before anything is paid.
    dex ? undefined : gasLimits.tokenFactory,
  );

  const startBlock = await settle();
  const launchpad = await client.readContract({
    address: tokenFactory,
    abi: tokenFactoryAbi,
    functionName: "launchpad",
  });
  return { tokenFactory, launchpad, dexFactory, router, wbnb, startBlock };
}

export interface PriceFeedDeployment {
  /** The address to configure. Emits no events. */
  proxy: Address;
  /** Emits the answers, and accepts them from anyone. */
  aggregator: Address;
}

interface DeployPriceFeedOptions {
  rpcUrl: string;
  /** The account that signs and pays. */
  account: Account;
  /** Default: 8, as in Chainlink's USD feeds. */
  decimals?: number;
  /** Default: "BNB / USD". */
  description?: string;
  /** A first answer, with the feed's decimals. */
  answer?: bigint;
}

/**
 * Deploys a price feed that anyone can set, and a proxy in front of it: for local chains and tests only. Throws if a transaction
 * fails.
 */
export async function deployPriceFeed(options: DeployPriceFeedOptions): Promise<PriceFeedDeployment> {
  const { rpcUrl, account, decimals = 8, description = "BNB / USD", answer } = options;
  const { deploy, send, settle } = await createDeployer(rpcUrl, account);
  const gas = gasLimits.priceFeed;
  const aggregator = await deploy("./artifacts/local/LocalPriceFeed.json", [decimals, description], gas);
  const proxy = await deploy("./artifacts/local/LocalPriceFeedProxy.json", [aggregator], gas);
  if (answer !== undefined) {
    const data = encodeFunctionData({ abi: priceFeedAbi, functionName: "updateAnswer", args: [answer] });
    await send("the first answer", { to: aggregator, data, gas });
  }
  await settle();
  return { proxy, aggregator };
}

/** Sends the transactions of an account without waiting for each, until they are settled. */
async function createDeployer(rpcUrl: string, account: Account) {
  const client = createRpcClient({ urls: [rpcUrl], retryCount: 3, pollingInterval: 100 }).extend(
    walletActions,
  );
  let nonce = await client.getTransactionCount({ address: account.address, blockTag: "pending" });
  const pending: { hash: Hex; name: string }[] = [];

  async function send(
    name: string,
    transaction: { to?: Address; data: Hex; gas: bigint | undefined },
  ): Promise<void> {
    const hash = await client.sendTransaction({ account, chain: null, ...transaction, nonce });
    nonce += 1;
    pending.push({ hash, name });
  }

  /** Deploys the contract of an artifact. Resolves to its address. */
  async function deploy(artifact: string, args: unknown[], gas?: bigint): Promise<Address> {
    const { abi, bytecode }: { abi: Abi; bytecode: string } = require(artifact);
    const address = getContractAddress({ from: account.address, nonce: BigInt(nonce) });
    await send(artifact, {
      data: encodeDeployData({ abi, bytecode: `0x${bytecode.replace(/^0x/, "")}`, args }),
      gas,
    });
    return address;
  }

  /** Waits for all transactions. Resolves to the block of the last one. */
  async function settle(): Promise<number> {
    let block = 0;
    for (const { hash, name } of pending) {
      const receipt = await client.waitForTransactionReceipt({ hash, checkReplacement: false });
      if (receipt.status === "reverted") throw new Error(`The deployment of ${name} reverted (${hash})`);
      block = Number(receipt.blockNumber);
    }
    return block;
  }

  return { client, send, deploy, settle };
}
