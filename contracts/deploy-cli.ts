import { BaseError } from "viem";
import { createRpcClient } from "../chain-access/rpc-client.ts";
import { deployLaunchpad } from "./deploy.ts";
import { chooseDex, readDeploySettings } from "./deploy-settings.ts";

try {
  const { rpcUrl, account, dex: dexChoice } = readDeploySettings(process.env);
  const client = createRpcClient({ urls: [rpcUrl], retryCount: 1 });
  const chainId = await client.getChainId().catch(() => {
    throw new Error("RPC_URL: no Ethereum node answers there");
  });
  const dex = await chooseDex(client, chainId, dexChoice);
  const deployment = await deployLaunchpad({ rpcUrl, account, dex });
  console.log(
    [
      `# DEX ${dex ? "in use" : "deployed too"}: DEX_FACTORY=${deployment.dexFactory} DEX_ROUTER=${deployment.router} WBNB=${deployment.wbnb}`,
      `TOKEN_FACTORY_ADDRESS_${chainId}=${deployment.tokenFactory}`,
      `LAUNCHPAD_ADDRESS_${chainId}=${deployment.launchpad}`,
      `START_BLOCK_${chainId}=${deployment.startBlock}`,
    ].join("\n"),
  );
} catch (error) {
  // The full message of a viem error quotes the request, and with it the endpoint and any secret in its URL.
  const message = error instanceof BaseError ? error.shortMessage : String((error as Error).message ?? error);
  console.error(message.replaceAll("\n", " "));
  process.exitCode = 1;
}
