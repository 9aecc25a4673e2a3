import { ImageError } from "./image-error.ts";

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets `running` pieces of work run at a time and `waiting` more wait. One more throws an ImageError 503, so
 * that a burst of uploads can't take all memory.
 */
export function createTurns({ running, waiting }: { running: number; waiting: number }): Turns {
  let active = 0;
  const queue: (() => void)[] = [];

  return async (work) => {
    if (active >= running) {
      if (queue.length >= waiting)
        throw new ImageError(503, "busy", "Too many uploads at the moment: try again in a few seconds.", {
          retryAfter: 5,
        });
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      active++;
    }
    try {
      return await work();
    } finally {
      // Whoever comes next takes over the place.
      const following = queue.shift();
      if (following === undefined) active--;
      else following();
    }
  };
}
