import { type Address, encodeFunctionData } from "viem";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { eventTopics } from "../../chain-access/sources/events.ts";
import type { EmulatedEndpoint } from "./emulated-endpoint.ts";
import type { LaunchpadChain } from "./launchpad-chain.ts";

/**
 * Mines two transfers alike in one block, of which the endpoint leaves out the second as long as that block alone is asked for:
 * without it, the block's bloom filter and the numbers of its logs are the same. Returns the block's number.
 */
export async function loseTransfer(
  chain: LaunchpadChain,
  endpoint: EmulatedEndpoint,
  { token, from, to }: { token: Address; from: Address; to: Address },
): Promise<number> {
  const losing = Number(await chain.head()) + 1;
  endpoint.set({
    losesLog: ({ blockNumber, topics, logIndex }, isOfOneBlock) =>
      isOfOneBlock &&
      Number(blockNumber) === losing &&
      topics[0] === eventTopics.transfer &&
      Number(logIndex) === 1,
  });
  await chain.testClient.setAutomine(false);
  const data = encodeFunctionData({ abi: launchTokenAbi, functionName: "transfer", args: [to, 10n ** 18n] });
  for (let count = 0; count < 2; count++) await chain.submit(from, token, data);
  await chain.testClient.mine({ blocks: 1 });
  await chain.testClient.setAutomine(true);
  return losing;
}
