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
import { createRpcClient } from "../chain-access/rpc-client.ts";

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

const require = createRequire(import.meta.url);
const gas = 1_000_000n;

/**
 * Deploys a price feed that anyone can set, and a proxy in front of it: for local chains and tests only. Throws if a transaction
 * fails.
 */
export async function deployPriceFeed(options: DeployPriceFeedOptions): Promise<PriceFeedDeployment> {
  const { rpcUrl, account, decimals = 8, description = "BNB / USD", answer } = options;
  const client = createRpcClient({ urls: [rpcUrl], retryCount: 3, pollingInterval: 100 }).extend(
    walletActions,
  );
  const { address: from } = account;
  let nonce = await client.getTransactionCount({ address: from, blockTag: "pending" });

  const hashes: Hex[] = [];

  async function send(data: Hex, to?: Address): Promise<void> {
    hashes.push(await client.sendTransaction({ account, chain: null, to, data, gas, nonce }));
    nonce += 1;
  }

  async function deploy(name: string, args: unknown[]): Promise<Address> {
    const { abi, bytecode }: { abi: Abi; bytecode: Hex } = require(`./artifacts/local/${name}.json`);
    const address = getContractAddress({ from, nonce: BigInt(nonce) });
    await send(encodeDeployData({ abi, bytecode, args }));
    return address;
  }

  const aggregator = await deploy("LocalPriceFeed", [decimals, description]);
  const proxy = await deploy("LocalPriceFeedProxy", [aggregator]);
  if (answer !== undefined) {
    await send(
      encodeFunctionData({ abi: priceFeedAbi, functionName: "updateAnswer", args: [answer] }),
      aggregator,
    );
  }
  for (const hash of hashes) {
    const { status } = await client.waitForTransactionReceipt({ hash, checkReplacement: false });
    if (status === "reverted") throw new Error(`The deployment of the price feed reverted (${hash})`);
  }
  return { proxy, aggregator };
}
