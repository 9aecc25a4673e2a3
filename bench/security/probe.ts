import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { text } from "node:stream/consumers";
import { now, readMemory, readStarvedTime, timed } from "../shared/process.ts";
import { median } from "../shared/report.ts";
import type { AttackRequest } from "./attacks.ts";

/* Normal clients, and what they notice of an attack. */

/** A normal request. */
export type ProbedRequest = {
  /** When it was sent, in Unix milliseconds. */
  at: number;
  path: string;
  /** The milliseconds until it was answered, and for how many of them the service was ready to run but had no processor. */
  took: number;
  starved: number;
};

/** A service, and the process whose memory and lack of a processor are measured. */
export type ProbedService = { url: string; pid: number | undefined };

/** Normal requests, and the memory of the process in MiB. */
type ProbeResult = {
  requests: ProbedRequest[];
  /** Statuses other than 200, error codes and timeouts. */
  failures: string[];
  resident: number;
  peak: number;
};

const intervalMs = 50;
/** A request that takes longer counts as failed. */
const timeoutMs = 10_000;
/** Together they stay below the rate limit of 600 reads per minute. */
const normalAddresses = Array.from({ length: 10 }, (_, index) => `127.3.0.${index + 1}`);

/** Sends a request and reads its answer. */
export async function send(
  url: string,
  { method = "GET", path, headers, body }: AttackRequest,
  options: Pick<RequestOptions, "agent" | "signal" | "localAddress"> = {},
): Promise<{ status: number; body: string }> {
  const request = httpRequest(new URL(path, url), { method, headers, ...options });
  request.end(body);
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}

/** Sends a request. Resolves to the status of its answer or, if there is none, to why. */
export async function outcomeOf(...request: Parameters<typeof send>): Promise<string> {
  return await send(...request).then(
    ({ status }) => String(status),
    (error: NodeJS.ErrnoException) => error.code ?? error.name,
  );
}

/**
 * Does the work. Meanwhile, sends a normal request now and then every 50 ms, on a new connection, whether or not the previous one has
 * been answered, and samples the memory of the process.
 */
export async function probe(
  { url, pid }: ProbedService,
  paths: string[],
  work: () => Promise<void>,
): Promise<ProbeResult> {
  const requests: ProbedRequest[] = [];
  const resident: number[] = [];
  const failures: string[] = [];
  const asked: Promise<void>[] = [];
  const starvedTime = () => (pid === undefined ? Number.NaN : readStarvedTime(pid));

  async function ask(path: string, localAddress: string): Promise<void> {
    const options = { agent: false, localAddress, signal: AbortSignal.timeout(timeoutMs) };
    const at = now();
    const starvedBefore = starvedTime();
    const [took, outcome] = await timed(() => outcomeOf(url, { path }, options));
    requests.push({ at, path, took, starved: starvedTime() - starvedBefore });
    if (outcome !== "200") failures.push(`${path}: ${outcome}`);
    if (pid !== undefined) resident.push((await readMemory(pid)).resident);
  }
  function askNext(): void {
    const path = paths[asked.length % paths.length] as string;
    asked.push(ask(path, normalAddresses[asked.length % normalAddresses.length] as string));
  }
  askNext();
  const asking = setInterval(askNext, intervalMs);
  await work().finally(() => clearInterval(asking));
  await Promise.all(asked);
  return { requests, failures, resident: median(resident), peak: Math.max(...resident) };
}
