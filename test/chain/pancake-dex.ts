import { createRequire } from "node:module";
import {
  type Abi,
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
} from "viem";
import type { DexAddresses } from "../../contracts/deploy.ts";

/*
 * PancakeSwap V2 is Uniswap V2 with a fee of 0.25 % instead of 0.3 %. Its contracts are not on npm, but its numbers can be patched
 * into the bytecode of Uniswap's.
 */

type Artifact = { abi: Abi; bytecode: string };
const require = createRequire(import.meta.url);
const artifact = (name: string): Artifact => require(`@uniswap/${name}.json`);
const codeOf = ({ bytecode }: Artifact) => bytecode.replace(/^0x/, "");

/** Replaces a piece of bytecode. Throws if it doesn't occur exactly `times` times. */
function replaced(code: string, piece: string, by: string, times: number): string {
  const parts = code.split(piece);
  if (parts.length !== times + 1 || piece.length !== by.length)
    throw new Error(`not ${times} times: ${piece}`);
  return parts.join(by);
}

/**
 * The pair compares balances * 1000 - amountsIn * 3 with the product of the reserves * 1000 ** 2. With 4000, 10 and
 * 4000 ** 2 that is equivalent to PancakeSwap's 10000, 25 and 10000 ** 2, and the bytecode keeps its length.
 */
function pancakePair(): string {
  let code = codeOf(artifact("v2-core/build/UniswapV2Pair"));
  code = replaced(code, "84600363ffffffff6121e8", "84600a63ffffffff6121e8", 2);
  code = replaced(code, "610bfd876103e863ffffffff", "610bfd87610fa063ffffffff", 1);
  return replaced(code, "620f4240", "62f42400", 1);
}

function pancakeFactory(pair: string): string {
  return replaced(
    codeOf(artifact("v2-core/build/UniswapV2Factory")),
    codeOf(artifact("v2-core/build/UniswapV2Pair")),
    pair,
    1,
  );
}

/** The router multiplies by 997 and 1000, and derives its pairs' addresses from the hash of their creation code. */
function pancakeRouter(pair: string): string {
  const uniswap = keccak256(`0x${codeOf(artifact("v2-core/build/UniswapV2Pair"))}`);
  let code = codeOf(artifact("v2-periphery/build/UniswapV2Router02"));
  code = replaced(code, "6103e563ffffffff", "6126f763ffffffff", 1);
  code = replaced(code, "6103e863ffffffff", "61271063ffffffff", 1);
  code = replaced(code, "6103e5614c72", "6126f7614c72", 1);
  code = replaced(code, "6103e8614c72", "612710614c72", 1);
  return replaced(code, uniswap.slice(2), keccak256(`0x${pair}`).slice(2), 1);
}

/** Deploys a DEX with PancakeSwap V2's fee, including wrapped BNB. */
export async function deployPancakeDex({
  rpcUrl,
  account,
}: {
  rpcUrl: string;
  account: Account;
}): Promise<DexAddresses> {
  const transport = http(rpcUrl);
  const wallet = createWalletClient({ account, transport });
  const reader = createPublicClient({ transport, pollingInterval: 20 });

  async function deploy({ abi }: Artifact, code: string, args: unknown[]): Promise<Address> {
    const bytecode: Hex = `0x${code}`;
    const hash = await wallet.deployContract({ abi, bytecode, args, chain: null });
    const { contractAddress, status } = await reader.waitForTransactionReceipt({
      hash,
      checkReplacement: false,
    });
    if (!contractAddress || status === "reverted") throw new Error("a contract of the DEX was not deployed");
    return contractAddress;
  }

  const pair = pancakePair();
  const weth = artifact("v2-periphery/build/WETH9");
  const wbnb = await deploy(weth, codeOf(weth), []);
  const factory = artifact("v2-core/build/UniswapV2Factory");
  const dexFactory = await deploy(factory, pancakeFactory(pair), [account.address]);
  const router = await deploy(artifact("v2-periphery/build/UniswapV2Router02"), pancakeRouter(pair), [
    dexFactory,
    wbnb,
  ]);
  return { dexFactory, router, wbnb };
}
