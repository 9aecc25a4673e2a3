import {
  type Address,
  BaseError,
  encodeAbiParameters,
  type Hex,
  isAddress,
  isAddressEqual,
  isHex,
  type LocalAccount,
  type PublicClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { dexRouterAbi } from "../abis/DexRouter.ts";
import { createRpcClient } from "../chain-access/rpc-client.ts";
import { pancakeSwap } from "../config/pancakeswap.ts";
import compiler from "./artifacts/compiler.json" with { type: "json" };
import { type DexAddresses, deployLaunchpad, type LaunchpadDeployment } from "./deploy.ts";

/** What `DEPLOYMENT_<id>` of the service takes, and what verifies the contracts. */
export type DeploymentFile = LaunchpadDeployment & {
  chainId: number;
  compiler: string;
  /** Of TokenFactory and of Launchpad, which get the same, ABI-encoded without 0x, as block explorers take it. */
  constructorArguments: string;
};

/**
 * Deploys the launchpad as these variables say, and returns the service's environment, with the DEX and what verifies the contracts
 * as comments, and the same as a file's content. Throws an error whose message is a single line without secrets.
 */
export async function deployFromEnvironment(
  environment: NodeJS.ProcessEnv,
): Promise<{ lines: string[]; deployment: DeploymentFile }> {
  try {
    return await deploy(environment);
  } catch (error) {
    // The full message of a viem error quotes the request, and with it the endpoint and any secret in its URL.
    const message =
      error instanceof BaseError ? error.shortMessage : String((error as Error).message ?? error);
    throw new Error(message.replaceAll("\n", " "));
  }
}

async function deploy(environment: NodeJS.ProcessEnv) {
  const { rpcUrl, account, dex: dexChoice, expectedChainId } = readDeploySettings(environment);
  const client = createRpcClient({ urls: [rpcUrl], retryCount: 1 });
  const chainId = await client.getChainId().catch(() => {
    throw new Error("RPC_URL: no Ethereum node answers there");
  });
  if (expectedChainId !== undefined && expectedChainId !== chainId) {
    throw new Error(`EXPECT_CHAIN_ID is ${expectedChainId}, and RPC_URL leads to chain ${chainId}`);
  }
  const dex = await chooseDex(client, chainId, dexChoice);
  const deployed = await deployLaunchpad({ rpcUrl, account, dex });
  const { tokenFactory, launchpad, dexFactory, router, wbnb, startBlock } = deployed;
  const address = { type: "address" } as const;
  const constructorArguments = encodeAbiParameters(
    [address, address, address],
    [dexFactory, router, wbnb],
  ).slice(2);
  const lines = [
    `# DEX ${dex ? "in use" : "deployed too"}: DEX_FACTORY=${dexFactory} DEX_ROUTER=${router} WBNB=${wbnb}`,
    `TOKEN_FACTORY_ADDRESS_${chainId}=${tokenFactory}`,
    `LAUNCHPAD_ADDRESS_${chainId}=${launchpad}`,
    `START_BLOCK_${chainId}=${startBlock}`,
    "# To verify the sources on BscScan and Sourcify (docs/self-hosting.md, Verifying the contracts):",
    `# compiler ${compiler.version}, standard JSON input contracts/artifacts/standard-input.json,`,
    `# ${tokenFactory} is contracts/TokenFactory.sol:TokenFactory, ${launchpad} is contracts/Launchpad.sol:Launchpad,`,
    `# constructor arguments of both: ${constructorArguments}`,
  ];
  return {
    lines,
    deployment: { chainId, ...deployed, compiler: compiler.version, constructorArguments },
  };
}

interface DeploySettings {
  rpcUrl: string;
  account: LocalAccount;
  dex: DexChoice;
  /** The only chain to deploy to; undefined for any. */
  expectedChainId: number | undefined;
}

/** The settings for the DEX that tokens graduate to. */
interface DexChoice {
  /** The DEX to use; undefined for the chain's PancakeSwap. */
  given: DexAddresses | undefined;
  /** Whether to deploy one if there is none. */
  mayDeploy: boolean;
}

const dexVariables = { dexFactory: "DEX_FACTORY", router: "DEX_ROUTER", wbnb: "WBNB" } as const;

/** The chain id of anvil and Hardhat, which no real chain uses. */
const developmentChainId = 31_337;

/** Reads the deployment's variables. Throws an error that names a missing or invalid one, but never its value. */
function readDeploySettings(environment: NodeJS.ProcessEnv): DeploySettings {
  const rpcUrl = required(environment, "RPC_URL");
  if (!/^https?:$/.test(URL.parse(rpcUrl)?.protocol ?? "")) {
    throw new Error("RPC_URL is not an http or https URL");
  }
  return {
    rpcUrl,
    account: readAccount(environment),
    dex: readDex(environment),
    expectedChainId: readExpectedChainId(environment),
  };
}

/**
 * Chooses the DEX that tokens graduate to: the given one, else the chain's PancakeSwap, else undefined, which means that one has to
 * be deployed. Checks for code, because a local chain may have the id of a real one. Throws if there is no DEX and none may be
 * deployed: tokens would graduate to a market that nobody else trades on.
 */
async function chooseDex(
  client: PublicClient,
  chainId: number,
  { given, mayDeploy }: DexChoice,
): Promise<DexAddresses | undefined> {
  const hasCode = async (address: Address) => (await client.getCode({ address })) !== undefined;
  if (!given) {
    const pancake: DexAddresses | undefined = pancakeSwap[chainId as keyof typeof pancakeSwap];
    if (pancake && (await hasCode(pancake.dexFactory))) return pancake;
    if (mayDeploy || chainId === developmentChainId) return undefined;
    const missing = pancake
      ? `PancakeSwap V2 is not at ${pancake.dexFactory}`
      : "it has no PancakeSwap V2 that we know";
    throw new Error(
      `Chain ${chainId}: ${missing}. Set DEX_FACTORY, DEX_ROUTER and WBNB, or DEPLOY_DEX=1 to deploy a DEX of your own`,
    );
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

function readExpectedChainId(environment: NodeJS.ProcessEnv): number | undefined {
  const value = environment.EXPECT_CHAIN_ID?.trim();
  if (!value) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new Error("EXPECT_CHAIN_ID is not a chain id, such as 56");
  return Number(value);
}

function readDex(environment: NodeJS.ProcessEnv): DexChoice {
  const deployDex = environment.DEPLOY_DEX?.trim() || undefined;
  if (deployDex !== undefined && deployDex !== "1") throw new Error("DEPLOY_DEX must be 1, or left out");
  const given = readDexAddresses(environment);
  if (given && deployDex) {
    throw new Error("DEPLOY_DEX must be left out where DEX_FACTORY, DEX_ROUTER and WBNB are set");
  }
  return { given, mayDeploy: deployDex !== undefined };
}

function readDexAddresses(environment: NodeJS.ProcessEnv): DexAddresses | undefined {
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
