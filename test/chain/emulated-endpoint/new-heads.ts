import { setTimeout as delay } from "node:timers/promises";

export type Block = { hash: string; parentHash: string };

/** Gets the latest block or the one with this hash; null if there is no such block, or no answer. */
export type ReadBlock = (hash?: string) => Promise<Block | null>;

const pauseMs = 50;
/** Deeper reorgs are not expected. */
const maxBlocks = 200;

/** Polls until the signal aborts, and reports each new block, including all that a reorg brings. */
export async function watchHeads(
  readBlock: ReadBlock,
  onHead: (block: Block) => void,
  signal: AbortSignal,
): Promise<void> {
  const reported = new Set<string>();
  while (!signal.aborted) {
    for (const block of await unreported(readBlock, reported)) {
      if (signal.aborted) return;
      // The first poll only sets the starting point.
      if (reported.size > 0) onHead(block);
      reported.add(block.hash);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the blocks after the last reported one, up to the latest, oldest first. */
async function unreported(readBlock: ReadBlock, reported: ReadonlySet<string>): Promise<Block[]> {
  const blocks: Block[] = [];
  let block = await readBlock();
  while (block !== null && !reported.has(block.hash) && blocks.length < maxBlocks) {
    blocks.unshift(block);
    if (reported.size === 0) break;
    block = await readBlock(block.parentHash);
  }
  return blocks;
}
