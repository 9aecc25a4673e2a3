import {
  type Address,
  type Hex,
  isAddress,
  isAddressEqual,
  isHex,
  type LocalAccount,
  type PublicClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { dexRouterAbi } from "../abis/DexRouter.ts";
import type { DexAddresses } from "./deploy.ts";

interface DeploySettings {
  rpcUrl: string;
  account: LocalAccount;
  dex: DexAddresses | undefined;
}

const dexVariables = { dexFactory: "DEX_FACTORY", router: "DEX_ROUTER", wbnb: "WBNB" } as const;

/** PancakeSwap V2. */
const knownDexes: Record<number, DexAddresses> = {
  56: {
    dexFactory: "0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73",
    router: "0x10ED43C718714eb63d5aA57B78B54704E256024E",
    wbnb: "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
  },
  97: {
    dexFactory: "0x6725F303b657a9451d8BA641348b6761A6CC7a17",
    router: "0xD99D1c33F9fC3444f8101754aBC46c52416550D1",
    wbnb: "0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd",
  },
};

/** Reads the deployment's variables. Throws an error that names the one that is missing or wrong, never its value. */
export function readDeploySettings(environment: NodeJS.ProcessEnv): DeploySettings {
  const rpcUrl = required(environment, "RPC_URL");
  if (!/^https?:$/.test(URL.parse(rpcUrl)?.protocol ?? "")) {
    throw new Error("RPC_URL is not an http or https URL");
  }
  return { rpcUrl, account: readAccount(environment), dex: readDex(environment) };
}

/**
 * The DEX that tokens graduate to: the given one, else the chain's PancakeSwap, else undefined, which means that one has to be
 * deployed. Checks for code, since a local chain may use the id of a real one.
 */
export async function chooseDex(
  client: PublicClient,
  chainId: number,
  given: DexAddresses | undefined,
): Promise<DexAddresses | undefined> {
  const hasCode = async (address: Address) => (await client.getCode({ address })) !== undefined;
  if (!given) {
    const known = knownDexes[chainId];
    return known && (await hasCode(known.dexFactory)) ? known : undefined;
  }
  for (const [part, variable] of Object.entries(dexVariables) as [keyof DexAddresses, string][]) {
    if (!(await hasCode(given[part]))) throw new Error(`${variable}: there is no contract at ${given[part]}`);
  }
  await expectOfRouter(client, given.router, "factory", given.dexFactory, dexVariables.dexFactory);
  await expectOfRouter(client, given.router, "WETH", given.wbnb, dexVariables.wbnb);
  return given;
}

async function expectOfRouter(
  client: PublicClient,
  router: Address,
  functionName: "factory" | "WETH",
  expected: Address,
  variable: string,
): Promise<void> {
  const actual = await client.readContract({ address: router, abi: dexRouterAbi, functionName }).catch(() => {
    throw new Error(`DEX_ROUTER: ${router} is not a Uniswap V2 router`);
  });
  if (!isAddressEqual(actual, expected)) throw new Error(`${variable}: DEX_ROUTER works with ${actual}`);
}

function readAccount(environment: NodeJS.ProcessEnv): LocalAccount {
  const value = required(environment, "DEPLOYER_PRIVATE_KEY");
  const key = (value.startsWith("0x") ? value : `0x${value}`) as Hex;
  const problem = new Error("DEPLOYER_PRIVATE_KEY is not a private key (64 hexadecimal digits)");
  if (!isHex(key) || key.length !== 66) throw problem;
  try {
    return privateKeyToAccount(key);
  } catch {
    throw problem;
  }
}

function readDex(environment: NodeJS.ProcessEnv): DexAddresses | undefined {
  const variables = Object.values(dexVariables);
  if (variables.every((variable) => !environment[variable])) return undefined;
  const address = (variable: string): Address => {
    const value = required(environment, variable, "as the other two of DEX_FACTORY, DEX_ROUTER and WBNB are");
    if (!isAddress(value)) throw new Error(`${variable} is not an address`);
    return value;
  };
  return {
    dexFactory: address(dexVariables.dexFactory),
    router: address(dexVariables.router),
    wbnb: address(dexVariables.wbnb),
  };
}

function required(environment: NodeJS.ProcessEnv, variable: string, reason?: string): string {
  const value = environment[variable]?.trim();
  if (!value) throw new Error(`${variable} must be set${reason ? `, ${reason}` : ""}`);
  return value;
}
