/** Runs `work` when it is its turn. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

export type SemaphoreOptions = {
  /** Tasks that run at a time. */
  concurrency: number;
  /** The most tasks that wait. */
  maxWaiting: number;
  /** Makes the error for one task more than that. */
  refuse: () => Error;
};

/** Limits concurrent tasks, and how many may wait for their turn. */
export function createSemaphore({ concurrency, maxWaiting, refuse }: SemaphoreOptions): Semaphore {
  let active = 0;
  const queue: (() => void)[] = [];

  return async (work) => {
    if (active >= concurrency) {
      if (queue.length >= maxWaiting) throw refuse();
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      active++;
    }
    try {
      return await work();
    } finally {
      // The next task takes over this one's slot.
      const startNext = queue.shift();
      if (startNext === undefined) active--;
      else startNext();
    }
  };
}
