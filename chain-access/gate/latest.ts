import { setTimeout as delay } from "node:timers/promises";
import type { LiveBlock } from "../live/block.ts";
import type { Live } from "../live/live.ts";

/** Milliseconds for which a poll waits for news. */
const longestMs = 250;

/**
 * Ponder polls for the latest block. A poll is answered as soon as there is a new one, or after a while with the one before, so
 * that few polls are enough to hear of each block at once. Following begins with the first.
 */
export function createLatest(live: Pick<Live, "follow">) {
  let block: LiveBlock | undefined;
  let isNews = false;
  let unfollow: (() => void) | undefined;
  let waiting: (() => void)[] = [];

  function hear(next: LiveBlock): void {
    block = next;
    isNews = true;
    for (const resume of waiting) resume();
    waiting = [];
  }

  const news = () => new Promise<void>((resolve) => waiting.push(resolve));

  return {
    /** Resolves once there is a block. */
    async next(): Promise<LiveBlock> {
      unfollow ??= live.follow(hear);
      if (block === undefined) await news();
      else if (!isNews) await Promise.race([news(), delay(longestMs)]);
      isNews = false;
      return block as LiveBlock;
    },

    stop: () => unfollow?.(),
  };
}
