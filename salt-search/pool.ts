import { availableParallelism } from "node:os";
import { FairQueue } from "./fair-queue.ts";
import type { KernelKind } from "./kernel/layout.ts";
import { type PoolWorker, startWorker } from "./pool-worker.ts";
import type { Salt, SearchTask } from "./salt-search.ts";

export type SaltPoolOptions = {
  /** Threads. Default: one less than the number of cores, because the event loop needs one. */
  workers?: number;
  /** Searches that run at the same time, sharing the workers. Default: 8 per worker; at most 32 per worker. */
  maxRunning?: number;
  /**
   * Searches that wait for their turn. Default: 256. Waiting costs almost nothing, whereas refused clients retry at once.
   */
  maxWaiting?: number;
  /**
   * The workers' niceness, 0 to 19, so that they yield the processor to the event loop and others. Default: 10. Linux only.
   */
  niceness?: number;
  /** Default: the fastest kind that the machine can run. */
  kind?: KernelKind;
};

type Search = {
  id: number;
  client: string;
  task: SearchTask;
  crashes: number;
  settle: (outcome: { salt: Salt } | { error: unknown }) => void;
};

/** A search may be what makes workers crash, so it is abandoned after more crashes than this. */
const maxCrashes = 2;

type SearchOptions = {
  signal?: AbortSignal;
  /** Identifies the client. Clients with waiting searches take turns. */
  client?: string;
};

export type SaltPool = ReturnType<typeof createSaltPool>;

/**
 * Creates a pool of workers that search for salts. They start with the first search and then stay; one that crashes is replaced.
 *
 * @example
 * const pool = createSaltPool();
 * const salt = await pool.search({ deployer, initCodeHash, pattern: parsePattern({ suffix: "5afe" }) });
 * await pool.close();
 */
export function createSaltPool(options: SaltPoolOptions = {}) {
  const size = options.workers ?? Math.max(1, availableParallelism() - 1);
  const maxRunning = Math.min(options.maxRunning ?? 8 * size, 32 * size);
  const maxWaiting = options.maxWaiting ?? 256;
  const tried = new Float64Array(new SharedArrayBuffer(8 * size));
  const workers: (PoolWorker | undefined)[] = new Array(size).fill(undefined);
  const active: Search[] = [];
  const queue = new FairQueue<Search>();
  let lastId = 0;
  let isClosed = false;

  function start(index: number): PoolWorker {
    const worker = startWorker(
      { kind: options.kind, niceness: options.niceness ?? 10, tried, index },
      {
        onReport(report) {
          active.find(({ id }) => id === report.id)?.settle(report);
        },
        onCrash(cause, searches) {
          workers[index] = undefined;
          for (const search of active.filter(({ id }) => searches.includes(id))) {
            search.crashes++;
            if (search.crashes > maxCrashes) search.settle({ error: new WorkerCrashError(cause) });
          }
          distribute();
        },
      },
    );
    workers[index] = worker;
    return worker;
  }

  /** Assigns searches to workers, starting missing workers. */
  function distribute(): void {
    if (isClosed) return;
    for (const [index, share] of shareOut(size, active.length).entries()) {
      const wanted = share.flatMap((place) => active[place] ?? []);
      const worker = workers[index] ?? (wanted.length > 0 ? start(index) : undefined);
      if (worker === undefined) continue;
      for (const id of worker.searches) {
        if (!wanted.some((search) => search.id === id)) worker.cancel(id);
      }
      for (const { id, task } of wanted) {
        if (!worker.searches.has(id)) worker.search(id, task);
      }
    }
  }

  function remove(search: Search): void {
    const place = active.indexOf(search);
    if (place === -1) {
      queue.remove(search.client, search);
      return;
    }
    const following = queue.shift() ?? (place === active.length - 1 ? undefined : active.pop());
    active.splice(place, 1, ...(following === undefined ? [] : [following]));
    distribute();
  }

  return {
    /** The number of workers, started or not. */
    size,
    /**
     * Resolves to a salt for an address that matches the task's pattern. Rejects with the signal's reason once that is aborted,
     * which frees the workers at once, or with PoolBusyError, PoolClosedError or WorkerCrashError. If no more searches may wait,
     * the client with the most waiting searches loses one to a client with fewer.
     *
     * @param task must have valid fields, which are not checked here
     */
    search(task: SearchTask, { signal, client = "" }: SearchOptions = {}): Promise<Salt> {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (isClosed) throw new PoolClosedError();
        if (active.length >= maxRunning && queue.weight >= maxWaiting) {
          const evicted = queue.evictFor(client);
          if (evicted === undefined) throw new PoolBusyError();
          evicted.settle({ error: new PoolBusyError() });
        }

        const onAbort = () => search.settle({ error: signal?.reason });
        let isSettled = false;
        const search: Search = {
          id: ++lastId,
          client,
          task,
          crashes: 0,
          settle(outcome) {
            // Two workers may find a salt before one hears of the other.
            if (isSettled) return;
            isSettled = true;
            signal?.removeEventListener("abort", onAbort);
            remove(search);
            if ("salt" in outcome) resolve(outcome.salt);
            else reject(outcome.error);
          },
        };
        signal?.addEventListener("abort", onAbort);
        if (active.length < maxRunning) active.push(search);
        else queue.push(client, search);
        distribute();
      });
    },
    /** Starts all workers now, rather than with the first search. */
    start(): void {
      for (let index = 0; index < size; index++) workers[index] ??= start(index);
    },
    /** The number of salts that all workers together have tried so far. */
    tried: () => tried.reduce((sum, count) => sum + count, 0),
    triedByWorker: () => [...tried],
    /** The number of searches. */
    load: () => ({ running: active.length, waiting: queue.weight }),
    /** Rejects every search with PoolClosedError, and ends every worker. */
    async close(): Promise<void> {
      isClosed = true;
      for (let search = queue.shift(); search !== undefined; search = queue.shift()) {
        search.settle({ error: new PoolClosedError() });
      }
      for (const search of [...active]) search.settle({ error: new PoolClosedError() });
      await Promise.all(workers.map((worker) => worker?.close()));
    },
  };
}

/**
 * Assigns searches to workers evenly. With at least as many workers as searches, each worker gets one search; with fewer, each
 * search gets one worker. If the last search takes the place of one that has ended, most of the others keep their workers.
 */
export function shareOut(workers: number, searches: number): number[][] {
  const shares = Array.from({ length: workers }, (): number[] => []);
  if (searches === 0) return shares;
  for (let turn = 0; turn < Math.max(workers, searches); turn++) {
    shares[turn % workers]?.push(turn % searches);
  }
  return shares;
}

/** Too many searches are already running and waiting. */
export class PoolBusyError extends Error {
  override name = "PoolBusyError";
  /** Seconds after which a retry is worthwhile. */
  readonly retryAfter = 1;

  constructor() {
    super("Too many salt searches are running and waiting");
  }
}

/** The pool was closed before the search found a salt. */
export class PoolClosedError extends Error {
  override name = "PoolClosedError";

  constructor() {
    super("The pool of salt searches is closed");
  }
}

/** The workers of a search have crashed repeatedly. `cause` is the last one's error. */
export class WorkerCrashError extends Error {
  override name = "WorkerCrashError";

  constructor(cause: unknown) {
    super("The workers of a salt search have crashed", { cause });
  }
}
