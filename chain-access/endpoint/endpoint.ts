import { EndpointFault } from "./fault.ts";
import { type Answer, readAnswers } from "./json-rpc.ts";
import { postJson } from "./post-json.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { createRedact } from "./redact.ts";
import { createResponseTime } from "./response-time.ts";

export type Call = { method: string; params: readonly unknown[] };

/** More bytes than any block, its receipts or its logs have. */
const maxBytes = 128 * 1_024 * 1_024;
/** Milliseconds to leave an endpoint alone after its first fault, twice as many after the second, up to the most. */
const firstBackoff = 100;
const longestBackoff = 4_000;

export type Endpoint = ReturnType<typeof createEndpoint>;

/**
 * A JSON-RPC endpoint, and what has been learned about it. Whoever asks looks first when it may be asked (`waitFor`).
 *
 * @param name for logs and metrics: never the URL, which may contain a key
 */
export function createEndpoint({ url, name }: { url: string; name: string }) {
  const target = new URL(url);
  const limiter = createRateLimiter();
  const responseTime = createResponseTime();
  const redact = createRedact(url);
  const counts = { requests: 0, calls: 0, sentBytes: 0, receivedBytes: 0, refused: 0, late: 0, failed: 0 };
  let nextId = 1;
  let inFlight = 0;
  let faults = 0;
  let lastFault = "";
  let backoffUntil = 0;

  function failed(fault: EndpointFault): void {
    if (fault.kind === "rate") {
      counts.refused++;
      limiter.refused(fault.retryAfterMs);
      return;
    }
    if (fault.kind !== "timeout" && fault.kind !== "server" && fault.kind !== "wrong") return;
    if (fault.kind === "timeout") counts.late++;
    else counts.failed++;
    lastFault = fault.message;
    const backoff = Math.min(longestBackoff, firstBackoff * 2 ** faults++);
    // By half at random, so that endpoints that failed together are not asked again together.
    backoffUntil = Math.max(backoffUntil, performance.now() + backoff * (0.5 + Math.random() / 2));
  }

  /** What it says goes to logs and to /status, and some repeat the key. */
  function redacted(fault: EndpointFault): EndpointFault {
    fault.message = redact(fault.message);
    return fault;
  }

  async function post(calls: readonly Call[], signal: AbortSignal | undefined): Promise<Answer[]> {
    const requests = calls.map((call) => ({ jsonrpc: "2.0", id: nextId++, ...call }));
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    counts.requests++;
    counts.calls += calls.length;
    counts.sentBytes += body.length;
    const startedAt = performance.now();
    const answer = await postJson(target, body, { timeoutMs: responseTime.timeout, maxBytes, signal });
    counts.receivedBytes += answer.text.length;
    const answers = readAnswers(answer, requests);
    responseTime.learn(performance.now() - startedAt);
    return answers;
  }

  return {
    name,
    counts,
    /** The last block it is known to have; undefined: not asked yet. */
    head: undefined as number | undefined,
    /** Why it is not asked, such as that it is on another chain; undefined if it is. */
    excluded: undefined as string | undefined,
    /** What it takes in one eth_getLogs, as far as it has said so. */
    limits: { blocks: Number.POSITIVE_INFINITY, addresses: Number.POSITIVE_INFINITY },

    /** Requests per second that it has been found to take. */
    get rate(): number {
      return limiter.rate;
    },
    get isHealthy(): boolean {
      return faults === 0;
    },
    /** What it did wrong last. */
    get lastFault(): string {
      return lastFault;
    },
    /** Milliseconds after which an answer is late. */
    get late(): number {
      return responseTime.late;
    },
    /** Milliseconds until an answer could be here, of a request that is sent now. */
    get expected(): number {
      return (responseTime.mean ?? 100) * (1 + inFlight / 4);
    },
    /** Milliseconds until so many calls may be sent; 0: now. */
    waitFor(calls: number): number {
      return Math.max(backoffUntil - performance.now(), limiter.waitFor(calls));
    },

    /** Counts so many calls as sent, so that whoever asks next when it may send knows of them. */
    reserve(calls: number): void {
      limiter.take(calls);
    },

    /**
     * Sends calls that were reserved, as a batch if there are several.
     *
     * @returns each call's result, or its fault
     * @throws EndpointFault if there is no answer to any of them; the signal's reason once it is aborted
     */
    async send(calls: readonly Call[], signal?: AbortSignal): Promise<Answer[]> {
      inFlight++;
      try {
        const answers = await post(calls, signal);
        const faulty = answers.filter((answer) => answer instanceof EndpointFault).map(redacted)[0];
        if (faulty === undefined) {
          faults = 0;
          limiter.succeeded(calls.length);
        } else failed(faulty);
        return answers;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof EndpointFault) failed(redacted(error));
        throw error;
      } finally {
        inFlight--;
      }
    },

    /** Reports that an answer was not true. */
    lied(fault: EndpointFault): void {
      failed(fault);
    },
  };
}
