import { createRequire } from "node:module";
import {
  type Abi,
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  http,
  keccak256,
} from "viem";
import type { DexAddresses } from "../../contracts/deploy.ts";

/*
 * PancakeSwap V2 is Uniswap V2 with a fee of 0.25 % instead of 0.3 %. Its contracts are not on npm, but its numbers can be patched
 * into the bytecode of Uniswap's. PancakeSwap's first version is on npm, with a fee of 0.2 %: its factory and pair are deployed as
 * they are, and only the router, which is not part of the package, is Uniswap's with other numbers.
 */

type Artifact = { abi: Abi; bytecode: string };
const require = createRequire(import.meta.url);
const artifact = (name: string): Artifact => require(`@uniswap/${name}.json`);
/** A contract of PancakeSwap's first version. */
function firstVersion(name: string): Artifact {
  const { abi, evm } = require(`@pancakeswap-libs/pancake-swap-core/build/${name}.json`);
  return { abi, bytecode: evm.bytecode.object };
}
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

/**
 * The router multiplies by 997 and 1000, and derives its pairs' addresses from the hash of their creation code.
 *
 * @param kept what a pair keeps after its fee, in ten-thousandths
 */
function routerFor(pair: string, kept: number): string {
  const uniswap = keccak256(`0x${codeOf(artifact("v2-core/build/UniswapV2Pair"))}`);
  const share = kept.toString(16).padStart(4, "0");
  let code = codeOf(artifact("v2-periphery/build/UniswapV2Router02"));
  code = replaced(code, "6103e563ffffffff", `61${share}63ffffffff`, 1);
  code = replaced(code, "6103e863ffffffff", "61271063ffffffff", 1);
  code = replaced(code, "6103e5614c72", `61${share}614c72`, 1);
  code = replaced(code, "6103e8614c72", "612710614c72", 1);
  return replaced(code, uniswap.slice(2), keccak256(`0x${pair}`).slice(2), 1);
}

type Deploying = { rpcUrl: string; account: Account };

/** Deploys a DEX with PancakeSwap V2's fee, including wrapped BNB. */
export function deployPancakeDex(deploying: Deploying): Promise<DexAddresses> {
  const pair = pancakePair();
  const { abi } = artifact("v2-core/build/UniswapV2Factory");
  return deployDex(deploying, {
    factory: { abi, bytecode: pancakeFactory(pair) },
    router: routerFor(pair, 9_975),
  });
}

/** Deploys PancakeSwap's first version, including wrapped BNB. */
export function deployFirstPancakeDex(deploying: Deploying): Promise<DexAddresses> {
  const pair = codeOf(firstVersion("PancakePair"));
  return deployDex(deploying, { factory: firstVersion("PancakeFactory"), router: routerFor(pair, 9_980) });
}

async function deployDex(
  { rpcUrl, account }: Deploying,
  code: { factory: Artifact; router: string },
): Promise<DexAddresses> {
  const transport = http(rpcUrl);
  const wallet = createWalletClient({ account, transport });
  const reader = createPublicClient({ transport, pollingInterval: 20 });

  async function deploy({ abi, bytecode }: Artifact, args: unknown[]): Promise<Address> {
    const hash = await wallet.deployContract({
      abi,
      bytecode: `0x${codeOf({ abi, bytecode })}`,
      args,
      chain: null,
    });
    const { contractAddress, status } = await reader.waitForTransactionReceipt({
      hash,
      checkReplacement: false,
    });
    if (!contractAddress || status === "reverted") throw new Error("a contract of the DEX was not deployed");
    return contractAddress;
  }

  const wbnb = await deploy(artifact("v2-periphery/build/WETH9"), []);
  const dexFactory = await deploy(code.factory, [account.address]);
  const { abi } = artifact("v2-periphery/build/UniswapV2Router02");
  const router = await deploy({ abi, bytecode: code.router }, [dexFactory, wbnb]);
  return { dexFactory, router, wbnb };
}
