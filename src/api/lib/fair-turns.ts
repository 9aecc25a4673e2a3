import type { TurnsOptions } from "./turns.ts";

/** Runs a piece of work of somebody when it is their turn. */
export type FairTurns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

type Waiting = { start: () => void; refuse: () => void };

/**
 * As `createTurns`, but shared fairly among whoever work is done for: a place that gets free goes to the next of them in
 * rotation, however much one has waiting; and where too much waits, it is the last of whoever has most that is refused.
 */
export function createFairTurns({ running, waiting, refuse }: TurnsOptions): FairTurns {
  let active = 0;
  let waitingNow = 0;
  /** In the order in which it is their turn. */
  const queues = new Map<string, Waiting[]>();

  function enqueue(key: string, entry: Waiting): void {
    const queue = queues.get(key) ?? [];
    queue.push(entry);
    queues.set(key, queue);
    waitingNow++;
    if (waitingNow > waiting) refuseOne();
  }

  function refuseOne(): void {
    let longest: [string, Waiting[]] | undefined;
    // Of several that are equally long, it is the newest.
    for (const queue of queues) if (queue[1].length >= (longest?.[1].length ?? 0)) longest = queue;
    if (longest === undefined) return;
    const [key, entries] = longest;
    entries.pop()?.refuse();
    waitingNow--;
    if (entries.length === 0) queues.delete(key);
  }

  function startNext(): void {
    const [next] = queues;
    if (next === undefined) {
      active--;
      return;
    }
    const [key, entries] = next;
    queues.delete(key);
    const entry = entries.shift();
    if (entries.length > 0) queues.set(key, entries);
    waitingNow--;
    entry?.start();
  }

  return async (key, work) => {
    if (active >= running) {
      await new Promise<void>((resolve, reject) =>
        enqueue(key, { start: resolve, refuse: () => reject(refuse()) }),
      );
    } else {
      active++;
    }
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}
