import { Worker } from "node:worker_threads";
import type { SearchTask } from "./salt-search.ts";
import type { WorkerReport, WorkerRequest, WorkerSettings } from "./worker-messages.ts";

export type PoolWorkerEvents = {
  onReport: (report: WorkerReport) => void;
  /** The worker has ended by itself. `searches` are those that it was running. */
  onCrash: (cause: unknown, searches: number[]) => void;
};

export type PoolWorker = ReturnType<typeof startWorker>;

/** A search thread. It keeps the process alive only while it has work. */
export function startWorker(settings: WorkerSettings, { onReport, onCrash }: PoolWorkerEvents) {
  // Without the parent's flags: a test runner's or Ponder's don't apply to this thread.
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
