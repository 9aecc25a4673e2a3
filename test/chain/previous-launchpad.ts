import { createRequire } from "node:module";
import { createPublicClient, createWalletClient, type Hex, http } from "viem";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { deployLaunchpad } from "../../contracts/deploy.ts";

const artifact = createRequire(import.meta.url);

/** What the factory compiled to before `createTokenAndBuy`; its launchpad and tokens are in it. */
const { bytecode }: { bytecode: Hex } = artifact("./previous-token-factory.json");

/**
 * Deploys the contracts as they were before `createTokenAndBuy`: pairs take in WBNB before graduation, which the launchpad
 * swaps out again, and a buy's limit is for its tokens alone.
 */
export const deployPreviousLaunchpad: typeof deployLaunchpad = async ({ rpcUrl, account, dex }) => {
  const { dexFactory, router, wbnb } = dex ?? (await deployLaunchpad({ rpcUrl, account }));
  const transport = http(rpcUrl);
  const wallet = createWalletClient({ account, transport });
  const reader = createPublicClient({ transport, pollingInterval: 20 });
  const args = [dexFactory, router, wbnb] as const;
  // The constructor is as it was.
  const { abi } = artifact("../../contracts/artifacts/TokenFactory.json");
  const hash = await wallet.deployContract({ abi, bytecode, args, chain: null });
  const { contractAddress: tokenFactory, blockNumber } = await reader.waitForTransactionReceipt({
    hash,
    checkReplacement: false,
  });
  if (!tokenFactory) throw new Error("the previous factory was not deployed");
  const launchpad = await reader.readContract({
    address: tokenFactory,
    abi: tokenFactoryAbi,
    functionName: "launchpad",
  });
  const factory = { address: launchpad, abi: launchpadAbi, functionName: "factory" } as const;
  if ((await reader.readContract(factory)).toLowerCase() !== tokenFactory.toLowerCase()) {
    throw new Error("the previous launchpad is of another factory");
  }
  return { tokenFactory, launchpad, dexFactory, router, wbnb, startBlock: Number(blockNumber) };
};
