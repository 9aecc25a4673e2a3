import { FairQueue } from "../../../salt-search/fair-queue.ts";

/** Runs a piece of a client's work when it is the client's turn. Rejects with `signal`'s reason if that is aborted before. */
export type FairSemaphore = <Result>(
  client: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

export type FairSemaphoreOptions = {
  /** Pieces of work at a time; of one client, one less, so that there is always a place for another. */
  running: number;
  /** Pieces of work that wait. */
  waiting: number;
  /** Milliseconds that a piece of work waits at most. */
  patience: number;
  /** What one that waits too long, or finds no room to wait, rejects with. */
  refuse: () => Error;
};

type Waiting = { client: string; begin: () => void; refuse: () => void };

/**
 * A semaphore whose places go round among the clients. When all places to wait are taken, the client who takes the most of
 * them loses one to a client who has fewer.
 */
export function createFairSemaphore({
  running,
  waiting,
  patience,
  refuse,
}: FairSemaphoreOptions): FairSemaphore {
  const perClient = Math.max(1, running - 1);
  const active = new Map<string, number>();
  const queue = new FairQueue<Waiting>();
  let total = 0;

  const hasPlace = (client: string) => total < running && (active.get(client) ?? 0) < perClient;

  function count(client: string, change: 1 | -1): void {
    total += change;
    const now = (active.get(client) ?? 0) + change;
    if (now === 0) active.delete(client);
    else active.set(client, now);
  }

  async function wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (queue.weight >= waiting) {
      const pushedOut = queue.makeRoomFor(client);
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
    const timer = setTimeout(() => leave(refuse()), patience);
    await promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  }

  function beginNext(): void {
    while (total < running) {
      const next = queue.shift(hasPlace);
      if (next === undefined) return;
      // Before it runs: until then nobody else may take the place.
      count(next.client, 1);
      next.begin();
    }
  }

  return async (client, work, signal) => {
    if (hasPlace(client)) count(client, 1);
    else await wait(client, signal);
    try {
      return await work();
    } finally {
      count(client, -1);
      beginNext();
    }
  };
}
