import { createRequire } from "node:module";
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex } from "viem";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { createdToken } from "../../contracts/test/outcomes.ts";
import type { LaunchpadChain } from "./launchpad-chain.ts";

const manners = ["OffchainLookup", "LongAnswer", "LongRevert", "BurnGas"] as const;

const { abi, bytecode }: { abi: Abi; bytecode: Hex } = createRequire(import.meta.url)(
  "../../contracts/artifacts/test/HostileWallet.json",
);

/** Deploys a HostileWallet, makes it create a token, and returns both addresses. */
export async function createByHostileWallet(
  chain: LaunchpadChain,
  { manner, length = 0, urls = [] }: { manner: (typeof manners)[number]; length?: number; urls?: string[] },
): Promise<{ wallet: Address; mint: Address }> {
  const [from] = chain.traders;
  const hash = await chain.testClient.request({
    method: "eth_sendTransaction",
    params: [{ from, data: encodeDeployData({ abi, bytecode, args: [urls] }) }],
  } as never);
  const { contractAddress } = await chain.publicClient.waitForTransactionReceipt({ hash });
  const wallet = contractAddress as Address;
  const call = (functionName: string, args: unknown[]) =>
    chain.send(from, wallet, encodeFunctionData({ abi, functionName, args }));
  await call("setManner", [manners.indexOf(manner), BigInt(length)]);
  const create = encodeFunctionData({
    abi: tokenFactoryAbi,
    functionName: "createToken",
    args: ["Brave Otter", "OTTER", 50],
  });
  return { wallet, mint: createdToken(await call("execute", [chain.deployment.tokenFactory, create])) };
}
