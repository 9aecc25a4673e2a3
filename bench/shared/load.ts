import type { Benchmark } from "./benchmark.ts";
import { startWorker, timed } from "./process.ts";
import type { Summary } from "./report.ts";

/** The job of the process that makes the load: the server and its requests, which are sent in this order, over and over. */
export type LoadJob = (
  | { kind: "http"; requests: HttpRequest[] }
  | { kind: "sql"; requests: SqlRequest[] }
) & {
  url: string;
  /** Requests in flight. */
  inFlight: number;
  /** Seconds. Requests during the warm-up don't count. */
  warmUp: number;
  seconds: number;
};

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
  const worker = startWorker<LoadResult>(benchmark, new URL("load-worker.ts", import.meta.url), job);
  const result = await worker.next();
  await worker.stop();
  const { refused, times } = result;
  if (refused > 0) throw new Error(`${refused} of ${times.count} requests were refused`);
  return result;
}

/** Requests a URL. Resolves to the answer's text and the milliseconds that it took. Throws unless it is a success. */
export async function request(url: string | URL, init?: RequestInit) {
  const [milliseconds, { status, text }] = await timed(async () => {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  });
  if (status < 200 || status > 299) throw new Error(`${url} answered ${status}: ${text.slice(0, 500)}`);
  return { text, milliseconds };
}
