import { availableParallelism } from "node:os";
import { FairQueue } from "./fair-queue.ts";
import type { KernelKind } from "./kernel/layout.ts";
import { PoolBusyError, PoolClosedError, WorkerCrashError } from "./pool-errors.ts";
import { type PoolWorker, startWorker } from "./pool-worker.ts";
import type { Salt, SearchTask } from "./salt-search.ts";
import { shareOut } from "./share-out.ts";

export type SaltPoolOptions = {
  /** Threads. Default: one less than there are cores, since the event loop needs one. */
  workers?: number;
  /** Searches that run at the same time, sharing the workers. Default: 8 for each worker; at most 32 for each. */
  running?: number;
  /**
   * Searches that wait for their turn. Default: 256. Waiting costs almost nothing, whereas clients that are refused retry at
   * once.
   */
  waiting?: number;
  /**
   * The workers' niceness, 0 to 19, so that they yield the processor to the event loop among others. Default: 10. Linux only.
   */
  niceness?: number;
  /** Default: the fastest that the machine can run. */
  kind?: KernelKind;
};

type Search = {
  id: number;
  client: string;
  task: SearchTask;
  crashes: number;
  settle: (outcome: { salt: Salt } | { error: unknown }) => void;
};

/** A search may be what crashes workers, so it is abandoned after this many. */
const toleratedCrashes = 2;

export type SearchOptions = {
  signal?: AbortSignal;
  /** The client: clients with waiting searches take turns. */
  client?: string;
};

export type SaltPool = ReturnType<typeof createSaltPool>;

/**
 * Workers that search for salts. They start with the first search and then stay; one that crashes is replaced.
 *
 * @example
 * const pool = createSaltPool();
 * const salt = await pool.search({ deployer, initCodeHash, pattern: parsePattern({ suffix: "5afe" }) });
 * await pool.close();
 */
export function createSaltPool(options: SaltPoolOptions = {}) {
  const size = options.workers ?? Math.max(1, availableParallelism() - 1);
  const running = Math.min(options.running ?? 8 * size, 32 * size);
  const waiting = options.waiting ?? 256;
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
            if (search.crashes > toleratedCrashes) search.settle({ error: new WorkerCrashError(cause) });
          }
          distribute();
        },
      },
    );
    workers[index] = worker;
    return worker;
  }

  /** Assigns searches to workers, starting workers that are missing. */
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
    /** How many workers there are, started or not. */
    size,
    /**
     * A salt that gives an address of the task's pattern. Rejects with `signal`'s reason once that is aborted, which
     * frees the workers at once; with PoolBusyError, PoolClosedError or WorkerCrashError. Where all places to wait are taken, the
     * client who has the most of them loses one to a client who has fewer.
     *
     * @param task Its fields must be valid: nothing here looks at them.
     */
    search(task: SearchTask, { signal, client = "" }: SearchOptions = {}): Promise<Salt> {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (isClosed) throw new PoolClosedError();
        if (active.length >= running && queue.weight >= waiting) {
          const pushedOut = queue.makeRoomFor(client);
          if (pushedOut === undefined) throw new PoolBusyError();
          pushedOut.settle({ error: new PoolBusyError() });
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
        if (active.length < running) active.push(search);
        else queue.push(client, search);
        distribute();
      });
    },
    /** Starts all workers now rather than with the first search. */
    start(): void {
      for (let index = 0; index < size; index++) workers[index] ??= start(index);
    },
    /** How many salts all workers together have tried so far. */
    tried: () => tried.reduce((sum, count) => sum + count, 0),
    triedByWorker: () => [...tried],
    /** How many searches there are. */
    load: () => ({ running: active.length, waiting: queue.weight }),
    /** Ends every search with PoolClosedError and every worker. */
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
