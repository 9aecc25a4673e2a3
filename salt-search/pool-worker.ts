import { Worker } from "node:worker_threads";
import type { KernelKind } from "./kernel/layout.ts";
import type { Salt, SearchTask } from "./salt-search.ts";

type PoolWorkerEvents = {
  onReport: (report: WorkerReport) => void;
  /** Called if the worker ends unexpectedly. `searches` are the ids of those that it was running. */
  onCrash: (cause: unknown, searches: number[]) => void;
};

export type PoolWorker = ReturnType<typeof startWorker>;

/** Starts a search thread. It only keeps the process alive while it has work. */
export function startWorker(settings: WorkerSettings, { onReport, onCrash }: PoolWorkerEvents) {
  // No execArgv: a test runner's or Ponder's flags are not for this thread.
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: settings, execArgv: [] });
  const searches = new Set<number>();
  const send = (request: WorkerRequest) => worker.postMessage(request);
  let cause: unknown;
  let isClosing = false;

  worker.unref();
  worker.on("message", onReport);
  worker.once("error", (error) => {
    cause = error;
  });
  worker.once("exit", (code) => {
    if (!isClosing) onCrash(cause ?? new Error(`The worker ended with code ${code}`), [...searches]);
  });

  return {
    searches: searches as ReadonlySet<number>,
    search(id: number, task: SearchTask): void {
      if (searches.size === 0) worker.ref();
      searches.add(id);
      send({ type: "search", id, task });
    },
    cancel(id: number): void {
      searches.delete(id);
      if (searches.size === 0) worker.unref();
      send({ type: "cancel", id });
    },
    async close(): Promise<void> {
      isClosing = true;
      await worker.terminate();
    },
  };
}

/** The settings that a worker is started with. */
export type WorkerSettings = {
  kind: KernelKind | undefined;
  niceness: number;
  /** The number of salts that each worker of the pool has tried, in shared memory. */
  tried: Float64Array;
  /** The worker's own index in `tried`. */
  index: number;
};

export type WorkerRequest =
  | { type: "search"; id: number; task: SearchTask }
  /** Has no effect on a search that has ended. */
  | { type: "cancel"; id: number };

/** The outcome of a search: the salt that the worker found, or an error. */
export type WorkerReport = { id: number; salt: Salt } | { id: number; error: unknown };
