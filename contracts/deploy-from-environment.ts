import { BaseError, encodeAbiParameters } from "viem";
import { createRpcClient } from "../chain-access/rpc-client.ts";
import compiler from "./artifacts/compiler.json" with { type: "json" };
import { deployLaunchpad, type LaunchpadDeployment } from "./deploy.ts";
import { chooseDex, readDeploySettings } from "./deploy-settings.ts";

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
