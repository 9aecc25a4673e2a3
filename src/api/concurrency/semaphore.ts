import { FairQueue } from "../../../salt-search/fair-queue.ts";
import { Counts, createUsage, type Use } from "./usage.ts";

/** Runs `work` when it is its turn. The signal of a request's work is aborted once nobody waits for the answer any more. */
export type Semaphore = <Result>(work: (signal?: AbortSignal) => Promise<Result>) => Promise<Result>;

export type SemaphoreOptions = {
  /** Tasks that run at a time. */
  concurrency: number;
} & (
  | {
      /** The most tasks that wait. Default: any number. */
      maxWaiting: number;
      /** Makes the error for one task more than that. */
      refuse: () => Error;
    }
  | { maxWaiting?: undefined; refuse?: undefined }
);

/** Limits concurrent tasks, and perhaps how many may wait for their turn. */
export function createSemaphore({ concurrency, ...limit }: SemaphoreOptions): Semaphore {
  let active = 0;
  const queue: (() => void)[] = [];

  return async (work) => {
    if (active >= concurrency) {
      if (limit.maxWaiting !== undefined && queue.length >= limit.maxWaiting) throw limit.refuse();
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

/** Runs `work` when it is the client's turn. Rejects with the reason of `signal` if that is aborted before. */
type FairSemaphore = <Result>(
  client: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

type FairSemaphoreOptions = {
  /** Tasks that run at a time. */
  concurrency: number;
  /** Those of one client. Default: one fewer than all, so that there is always a slot for another. */
  maxPerClient?: number;
  /** The most tasks that wait. */
  maxWaiting: number;
  /** The most milliseconds that a task waits. */
  maxWaitMs: number;
  /** Makes the error for a task that waits too long or finds the queue full. */
  refuse: () => Error;
};

type WaitingTask = { client: string; use: Use; since: number; begin: () => void; refuse: () => void };

/**
 * A semaphore that serves first who used it least lately: a client with an occasional quick task doesn't wait for a hundred clients
 * with slow ones. When the queue is full, the client with the most waiting tasks loses one to a client that has fewer.
 */
export function createFairSemaphore({
  concurrency,
  maxPerClient = Math.max(1, concurrency - 1),
  maxWaiting,
  maxWaitMs,
  refuse,
}: FairSemaphoreOptions): FairSemaphore {
  const active = new Counts();
  const queue = new FairQueue<WaitingTask>();
  const usage = createUsage();
  let total = 0;

  const canStart = (client: string) => total < concurrency && active.of(client) < maxPerClient;

  function count(client: string, change: 1 | -1): void {
    total += change;
    active.add(client, change);
  }

  async function wait(client: string, use: Use, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (queue.weight >= maxWaiting) {
      const pushedOut = queue.evictFor(client);
      if (pushedOut === undefined) throw refuse();
      pushedOut.refuse();
    }
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const item = { client, use, since: performance.now(), begin, refuse: () => reject(refuse()) };
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
      const next = queue.shift(canStart, usage.rank);
      if (next === undefined) return;
      // Counted before it runs, so that nobody else takes its slot.
      count(next.client, 1);
      next.begin();
    }
  }

  return async (client, work, signal) => {
    const use = usage.of(client);
    if (canStart(client)) count(client, 1);
    else await wait(client, use, signal);
    const begunAt = performance.now();
    try {
      return await work();
    } finally {
      usage.add(use, performance.now() - begunAt);
      count(client, -1);
      beginNext();
    }
  };
}

/** A slot that is held. */
export type Slot = {
  /** Records progress. */
  touch(): void;
  /** From now on the slot can't be revoked. */
  protect(): void;
  release(): void;
};

type SlotsOptions = {
  /** The most slots in all, and of one owner. */
  max: number;
  maxPerOwner: number;
  /** Milliseconds without progress after which a slot may be revoked. */
  stallMs: number;
  /** Makes the error to throw when no slot is free: the owner's limit is reached, or everyone's. */
  refuse(limit: "owner" | "everyone"): Error;
};

export type Slots = ReturnType<typeof createSlots>;

/**
 * A semaphore for work whose pace the client sets, such as an upload. When all slots are taken, the one that has gone longest
 * without progress is revoked, provided that it has stalled for a while: stalled clients can't shut out others.
 */
export function createSlots({ max, maxPerOwner, stallMs, refuse }: SlotsOptions) {
  type Held = { owner: string; touchedAt: number; onRevoked: (() => void) | undefined };
  // Ordered by last progress, the oldest first.
  const held = new Set<Held>();
  const owned = new Counts();

  function release(slot: Held): void {
    if (held.delete(slot)) owned.add(slot.owner, -1);
  }

  /** The slot that would be revoked to give this owner one. */
  function findStalled(owner: string): Held | undefined {
    const latest = performance.now() - stallMs;
    for (const slot of held) {
      if (slot.touchedAt > latest) return undefined;
      if (slot.onRevoked !== undefined && (slot.owner === owner || !isAtLimit(owner))) return slot;
    }
    return undefined;
  }

  const isAtLimit = (owner: string) => owned.of(owner) >= maxPerOwner;
  const hasRoom = (owner: string) => !isAtLimit(owner) && held.size < max;
  const limitFor = (owner: string) => (isAtLimit(owner) ? "owner" : "everyone");

  return {
    /** Returns whose limit would make `take` throw now, or undefined while there is a slot. */
    reachedLimit(owner: string): "owner" | "everyone" | undefined {
      return hasRoom(owner) || findStalled(owner) !== undefined ? undefined : limitFor(owner);
    },
    /** Takes a slot. `onRevoked` is called when it goes to somebody else. Throws the error that `refuse` makes. */
    take(owner: string, onRevoked: () => void): Slot {
      if (!hasRoom(owner)) {
        const stalled = findStalled(owner);
        if (stalled === undefined) throw refuse(limitFor(owner));
        release(stalled);
        stalled.onRevoked?.();
      }
      const slot: Held = { owner, touchedAt: performance.now(), onRevoked };
      held.add(slot);
      owned.add(owner, 1);
      return {
        touch() {
          if (!held.delete(slot)) return;
          slot.touchedAt = performance.now();
          held.add(slot);
        },
        protect() {
          slot.onRevoked = undefined;
        },
        release: () => release(slot),
      };
    },
  };
}
