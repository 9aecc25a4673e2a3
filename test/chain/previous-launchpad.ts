import { createRequire } from "node:module";
import { createPublicClient, createWalletClient, type Hex, http } from "viem";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { deployLaunchpad } from "../../contracts/deploy.ts";

const artifact = createRequire(import.meta.url);

/** The factory's bytecode in earlier versions. It contains that of its launchpad and tokens. */
const bytecodes = {
  /** Pairs accept WBNB before graduation, which the launchpad swaps out again, and a buy's limit only applies to its number of tokens. */
  "before createTokenAndBuy": "./previous/before-first-buys.json",
  /** Any salt is accepted from anybody, and createToken's addresses follow the factory's nonce. */
  "before bound salts": "./previous/before-bound-salts.json",
};

/** Returns a function that deploys the contracts as they were. */
export function deployPrevious(version: keyof typeof bytecodes): typeof deployLaunchpad {
  const { bytecode }: { bytecode: Hex } = artifact(bytecodes[version]);
  return async ({ rpcUrl, account, dex }) => {
    const { dexFactory, router, wbnb } = dex ?? (await deployLaunchpad({ rpcUrl, account }));
    const transport = http(rpcUrl);
    const wallet = createWalletClient({ account, transport });
    const reader = createPublicClient({ transport, pollingInterval: 20 });
    const args = [dexFactory, router, wbnb] as const;
    // The constructor hasn't changed since.
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
}
