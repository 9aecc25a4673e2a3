import { setTimeout as delay } from "node:timers/promises";
import type { LiveBlock } from "../live/block.ts";
import type { Live } from "../live/live.ts";

/** Milliseconds that a poll waits for a new block. */
const maxWaitMs = 250;

/**
 * Answers Ponder's polls for the latest block by long polling: as soon as there is a new one, or after a while with the previous
 * one. The first poll starts following the chain.
 */
export function createLatest(live: Pick<Live, "follow">) {
  let block: LiveBlock | undefined;
  let isNews = false;
  let unfollow: (() => void) | undefined;
  let isStopped = false;
  let waiting: (() => void)[] = [];

  function hear(next: LiveBlock): void {
    block = next;
    isNews = true;
    for (const resume of waiting) resume();
    waiting = [];
  }

  const news = () => new Promise<void>((resolve) => waiting.push(resolve));

  return {
    /** Resolves to the next block, or to the previous one again if there is none in time. */
    async next(): Promise<LiveBlock> {
      if (!isStopped) unfollow ??= live.follow(hear);
      if (block === undefined) await news();
      else if (!isNews) await Promise.race([news(), delay(maxWaitMs)]);
      isNews = false;
      return block as LiveBlock;
    },

    /** After this, there are no new blocks. */
    stop(): void {
      isStopped = true;
      unfollow?.();
    },
  };
}
