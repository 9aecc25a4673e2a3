import type { KernelKind } from "./kernel/layout.ts";
import type { Salt, SearchTask } from "./salt-search.ts";

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
