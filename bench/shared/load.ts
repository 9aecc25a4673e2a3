import type { Benchmark } from "./benchmark.ts";
import { startWorker } from "./process.ts";
import type { Summary } from "./report.ts";

/** The job of the process that makes the load. */
export type LoadJob = {
  target: LoadTarget;
  /** Requests in flight. */
  inFlight: number;
  /** Requests during the warm-up don't count. */
  warmUpSeconds: number;
  seconds: number;
};

/** The server and its requests, which are sent in this order, over and over. */
export type LoadTarget =
  | { kind: "http"; url: string; requests: HttpRequest[] }
  | { kind: "sql"; databaseUrl: string; requests: SqlRequest[] };

/** A GET, or a POST if there is a `body` (JSON). */
export type HttpRequest = Grouped & { path: string; body?: string };

export type SqlRequest = Grouped & { text: string; values: unknown[] };

/** The kind of a request. Times are reported for each kind. */
type Grouped = { group: string };

/** Times are in milliseconds. */
export type LoadResult = {
  perSecond: number;
  times: Summary;
  groups: Record<string, Summary>;
  /** The number of answers with a status other than 200, and of failed statements. */
  refused: number;
};

/** Makes a load in a process that does nothing else. Throws if a request was refused. */
export async function runLoad(benchmark: Benchmark, job: LoadJob): Promise<LoadResult> {
  let result: LoadResult | undefined;
  const worker = startWorker<LoadResult>(benchmark, new URL("load-worker.ts", import.meta.url), {
    job,
    onMessage(message) {
      result = message;
    },
  });
  await worker.untilDone();
  if (result === undefined) throw new Error("the load has no result");
  const { refused, times } = result;
  if (refused > 0) throw new Error(`${refused} of ${times.count} requests were refused`);
  return result;
}
