import { createRequire } from "node:module";
import {
  type Abi,
  type Account,
  type Address,
  encodeDeployData,
  getContractAddress,
  type Hex,
  walletActions,
} from "viem";
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

interface Artifact {
  abi: Abi;
  bytecode: string;
}

const require = createRequire(import.meta.url);

/** Explicit gas limits, because a node estimates on its latest block, but these transactions depend on each other within one. */
const gasLimits = { wbnb: 1_500_000n, dexFactory: 4_000_000n, router: 6_000_000n, tokenFactory: 6_000_000n };

/**
 * Deploys TokenFactory, which deploys its Launchpad; first deploys a DEX if none is given. All transactions are sent at once, so a
 * chain with a block time needs one or two blocks. Throws if one of them fails.
 *
 * @example
 * const { tokenFactory, launchpad, startBlock } = await deployLaunchpad({ rpcUrl: "http://127.0.0.1:8545", account });
 */
export async function deployLaunchpad({ rpcUrl, account, dex }: DeployOptions): Promise<LaunchpadDeployment> {
  const client = createRpcClient({ urls: [rpcUrl], retryCount: 3, pollingInterval: 100 }).extend(
    walletActions,
  );
  let nonce = await client.getTransactionCount({ address: account.address, blockTag: "pending" });
  const pending: { hash: Hex; name: string }[] = [];

  async function deploy(artifactPath: string, args: unknown[], gas?: bigint): Promise<Address> {
    const { abi, bytecode }: Artifact = require(artifactPath);
    const data = encodeDeployData({ abi, bytecode: `0x${bytecode.replace(/^0x/, "")}`, args });
    const address = getContractAddress({ from: account.address, nonce: BigInt(nonce) });
    const hash = await client.sendTransaction({ account, chain: null, data, gas, nonce });
    nonce += 1;
    pending.push({ hash, name: artifactPath });
    return address;
  }

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

  let startBlock = 0;
  for (const { hash, name } of pending) {
    const receipt = await client.waitForTransactionReceipt({ hash, checkReplacement: false });
    if (receipt.status === "reverted") throw new Error(`The deployment of ${name} reverted (${hash})`);
    startBlock = Number(receipt.blockNumber);
  }
  const launchpad = await client.readContract({
    address: tokenFactory,
    abi: tokenFactoryAbi,
    functionName: "launchpad",
  });
  return { tokenFactory, launchpad, dexFactory, router, wbnb, startBlock };
}
