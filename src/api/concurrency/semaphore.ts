/** Runs a piece of work when it is its turn. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

export type SemaphoreOptions = {
  /** Pieces of work at a time. */
  running: number;
  /** Pieces of work that wait. */
  waiting: number;
  /** What one more rejects with. */
  refuse: () => Error;
};

/** Lets `running` pieces of work run at a time and `waiting` more wait; one more is refused. */
export function createSemaphore({ running, waiting, refuse }: SemaphoreOptions): Semaphore {
  let active = 0;
  const queue: (() => void)[] = [];

  return async (work) => {
    if (active >= running) {
      if (queue.length >= waiting) throw refuse();
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
