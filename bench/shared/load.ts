import type { Benchmark } from "./benchmark.ts";
import { startWorker } from "./process.ts";
import type { Summary } from "./report.ts";

/** The job of the process that makes the load. */
export type LoadJob = {
  target: LoadTarget;
  /** Requests in flight. */
  inFlight: number;
  /** Requests during the warm-up don't count. */
  warmUp: number;
  seconds: number;
};

/** The server and its requests, which are sent in this order, over and over. */
export type LoadTarget =
  | { kind: "http"; url: string; requests: HttpRequest[] }
  | { kind: "sql"; url: string; requests: SqlRequest[] };

/** A GET, or a POST if there is a `body` (JSON). Times are reported for each group. */
export type HttpRequest = { group: string; path: string; body?: string };

export type SqlRequest = { group: string; text: string; values: unknown[] };

/** Times are in milliseconds. */
export type LoadResult = {
  perSecond: number;
  times: Summary;
  groups: Record<string, Summary>;
  /** The number of answers with a status other than 200. */
  refused: number;
};

/** Makes a load in a process that does nothing else. Throws if a request was refused. */
export async function runLoad(benchmark: Benchmark, job: LoadJob): Promise<LoadResult> {
  const program = new URL("load-worker.ts", import.meta.url);
  const result = await startWorker<LoadResult>(benchmark, program, job).next();
  const { refused, times } = result;
  if (refused > 0) throw new Error(`${refused} of ${times.count} requests were refused`);
  return result;
}
