import type { PublicClient } from "viem";
import type { KnownHead } from "./lag.ts";

/**
 * Asks for the head and, if the index is behind, for the timestamp of the first missing block. Rejects if the endpoints fail.
 *
 * @param readIndexed returns the last indexed block, if there is one; called after the head is known, so that it isn't older
 */
export async function readHead(
  client: PublicClient,
  previous: KnownHead["head"],
  readIndexed: () => Promise<number | undefined>,
): Promise<Pick<KnownHead, "head" | "missingSince">> {
  const latest = await readBlock(client);
  const isSame = previous?.block === latest.block && previous.timestamp === latest.timestamp;
  const head = isSame ? previous : { ...latest, seenAt: performance.now() };

  const indexed = await readIndexed();
  if (indexed === undefined || indexed >= head.block) return { head, missingSince: undefined };
  const missing = indexed + 1 === head.block ? latest : await readBlock(client, indexed + 1);
  return { head, missingSince: missing.timestamp };
}

async function readBlock(client: PublicClient, blockNumber?: number) {
  const { number, timestamp } = await client.getBlock(
    blockNumber === undefined ? { blockTag: "latest" } : { blockNumber: BigInt(blockNumber) },
  );
  const block = { block: Number(number), timestamp: Number(timestamp) };
  if (number === null || !Number.isSafeInteger(block.block) || !Number.isSafeInteger(block.timestamp)) {
    throw new Error("the endpoint returned a block without a number or a time");
  }
  return block;
}
