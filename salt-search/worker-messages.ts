import type { KernelKind } from "./kernel/layout.ts";
import type { Salt, SearchTask } from "./salt-search.ts";

/** What a worker is started with. */
export type WorkerSettings = {
  kind: KernelKind | undefined;
  niceness: number;
  /** Shared: how many salts each worker of the pool has tried. */
  tried: Float64Array;
  /** The worker's own index in it. */
  index: number;
};

export type WorkerRequest =
  | { type: "search"; id: number; task: SearchTask }
  /** Has no effect for a search that has ended. */
  | { type: "cancel"; id: number };

/** A worker's result of a search: the salt that it found, or an error. */
export type WorkerReport = { id: number; salt: Salt } | { id: number; error: unknown };
