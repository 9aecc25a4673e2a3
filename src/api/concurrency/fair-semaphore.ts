import { FairQueue } from "../../../salt-search/fair-queue.ts";

/** Runs `work` when it is the client's turn. Rejects with the reason of `signal` if that is aborted before. */
export type FairSemaphore = <Result>(
  client: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

export type FairSemaphoreOptions = {
  /** Tasks that run at a time. One client may have one fewer, so that there is always a slot for another. */
  concurrency: number;
  /** The most tasks that wait. */
  maxWaiting: number;
  /** The most milliseconds that a task waits. */
  maxWaitMs: number;
  /** Makes the error for a task that waits too long or finds the queue full. */
  refuse: () => Error;
};

type WaitingTask = { client: string; begin: () => void; refuse: () => void };

/**
 * A semaphore that serves its clients round-robin. When the queue is full, the client with the most waiting tasks loses one to
 * a client that has fewer.
 */
export function createFairSemaphore({
  concurrency,
  maxWaiting,
  maxWaitMs,
  refuse,
}: FairSemaphoreOptions): FairSemaphore {
  const maxPerClient = Math.max(1, concurrency - 1);
  const active = new Map<string, number>();
  const queue = new FairQueue<WaitingTask>();
  let total = 0;

  const canStart = (client: string) => total < concurrency && (active.get(client) ?? 0) < maxPerClient;

  function count(client: string, change: 1 | -1): void {
    total += change;
    const now = (active.get(client) ?? 0) + change;
    if (now === 0) active.delete(client);
    else active.set(client, now);
  }

  async function wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (queue.weight >= maxWaiting) {
      const pushedOut = queue.evictFor(client);
      if (pushedOut === undefined) throw refuse();
      pushedOut.refuse();
    }
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const item = { client, begin, refuse: () => reject(refuse()) };
    const leave = (error: unknown) => {
      if (queue.remove(client, item)) reject(error);
    };
    const onAbort = () => leave(signal?.reason);
    queue.push(client, item);
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => leave(refuse()), maxWaitMs);
    await promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  }

  function beginNext(): void {
    while (total < concurrency) {
      const next = queue.shift(canStart);
      if (next === undefined) return;
      // Counted before it runs, so that nobody else takes its slot.
      count(next.client, 1);
      next.begin();
    }
  }

  return async (client, work, signal) => {
    if (canStart(client)) count(client, 1);
    else await wait(client, signal);
    try {
      return await work();
    } finally {
      count(client, -1);
      beginNext();
    }
  };
}
