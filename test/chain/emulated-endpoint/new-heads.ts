import { setTimeout as delay } from "node:timers/promises";

export type Block = { hash: string; parentHash: string };

/** Gets the latest block or the one with this hash; null where there is none, or no answer. */
export type ReadBlock = (hash?: string) => Promise<Block | null>;

const pauseMs = 50;
/** A reorg is never deeper. */
const mostBlocks = 200;

/** Reports each new block, those of a reorg too, until the signal, by looking again and again. */
export async function watchHeads(
  readBlock: ReadBlock,
  onHead: (block: Block) => void,
  signal: AbortSignal,
): Promise<void> {
  const reported = new Set<string>();
  while (!signal.aborted) {
    for (const block of await unreported(readBlock, reported)) {
      if (signal.aborted) return;
      // The first look only says where to begin.
      if (reported.size > 0) onHead(block);
      reported.add(block.hash);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The latest block and those before it, the oldest first, back to one that was reported. */
async function unreported(readBlock: ReadBlock, reported: ReadonlySet<string>): Promise<Block[]> {
  const blocks: Block[] = [];
  let block = await readBlock();
  while (block !== null && !reported.has(block.hash) && blocks.length < mostBlocks) {
    blocks.unshift(block);
    if (reported.size === 0) break;
    block = await readBlock(block.parentHash);
  }
  return blocks;
}
