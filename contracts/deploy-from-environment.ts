import { BaseError } from "viem";
import { createRpcClient } from "../chain-access/rpc-client.ts";
import { deployLaunchpad } from "./deploy.ts";
import { chooseDex, readDeploySettings } from "./deploy-settings.ts";

/**
 * Deploys the launchpad as these variables say, and returns the service's environment, with the DEX as a comment. Throws an error
 * whose message is a single line without secrets.
 */
export async function deployFromEnvironment(environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    return await deploy(environment);
  } catch (error) {
    // The full message of a viem error quotes the request, and with it the endpoint and any secret in its URL.
    const message =
      error instanceof BaseError ? error.shortMessage : String((error as Error).message ?? error);
    throw new Error(message.replaceAll("\n", " "));
  }
}

async function deploy(environment: NodeJS.ProcessEnv): Promise<string> {
  const { rpcUrl, account, dex: dexChoice } = readDeploySettings(environment);
  const client = createRpcClient({ urls: [rpcUrl], retryCount: 1 });
  const chainId = await client.getChainId().catch(() => {
    throw new Error("RPC_URL: no Ethereum node answers there");
  });
  const dex = await chooseDex(client, chainId, dexChoice);
  const deployment = await deployLaunchpad({ rpcUrl, account, dex });
  return [
    `# DEX ${dex ? "in use" : "deployed too"}: DEX_FACTORY=${deployment.dexFactory} DEX_ROUTER=${deployment.router} WBNB=${deployment.wbnb}`,
    `TOKEN_FACTORY_ADDRESS_${chainId}=${deployment.tokenFactory}`,
    `LAUNCHPAD_ADDRESS_${chainId}=${deployment.launchpad}`,
    `START_BLOCK_${chainId}=${deployment.startBlock}`,
  ].join("\n");
}
