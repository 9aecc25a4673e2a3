import type { KernelKind } from "./kernel/layout.ts";
import type { Salt, SearchTask } from "./salt-search.ts";

/** What a worker is started with. */
export type WorkerSettings = {
  kind: KernelKind | undefined;
  niceness: number;
  /** Shared: how many salts each worker of the pool has tried. */
  tried: Float64Array;
  /** The worker's own place in it. */
  index: number;
};

export type WorkerRequest =
  | { type: "search"; id: number; task: SearchTask }
  /** Of a search that is not there any more, it changes nothing. */
  | { type: "cancel"; id: number };

/** The end of a search for a worker: its first find, or what went wrong. */
export type WorkerReport = { id: number; salt: Salt } | { id: number; error: unknown };
