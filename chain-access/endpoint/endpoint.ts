import { createRedact, EndpointFault, type FaultKind, hostForLog } from "./fault.ts";
import { type Answer, readAnswers } from "./json-rpc.ts";
import { createLimits, createRateLimiter, createResponseTime } from "./limits.ts";
import { postJson } from "./post-json.ts";

export type Call = { method: string; params: readonly unknown[] };

type SendOptions = {
  signal?: AbortSignal | undefined;
  /** How often these calls were sent and not answered in time: they are given longer. */
  timeouts?: number;
};

/** More bytes than any block, with its receipts or logs, takes up. */
const maxBytes = 128 * 1_024 * 1_024;
/** Milliseconds to leave an endpoint alone after its first fault, doubled with each further one up to the maximum. */
const initialBackoffMs = 100;
const maxBackoffMs = 4_000;
/** Faults of the endpoint itself. All others are of requests that it doesn't take. */
const failures = new Set<FaultKind>(["timeout", "server", "wrong", "refused"]);
/** Milliseconds after which a false answer no longer counts, whatever else the endpoint has answered since. */
const lieCountsMs = 60_000;
/** Milliseconds without any answer, after a fault and after a refusal as too many, after which an endpoint counts as out. */
const outAfterMs = { fault: 10_000, rate: 90_000 };
/** Milliseconds for which it is remembered that an endpoint has reported a head that isn't there. */
const falseHeadMs = 60_000;
/** Refusals of eth_getLogs in a row that are not about a single request, and milliseconds after which it is tried again. */
const logsRefusals = 3;
const logsRefusedMs = 300_000;

export type Endpoint = ReturnType<typeof createEndpoint>;

/**
 * A JSON-RPC endpoint and what has been learned about it. Before sending, callers check when they may (`waitFor`) and reserve
 * their calls (`reserve`).
 *
 * @param name for logs and metrics; never the URL, which may contain a key
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
  let lies = 0;
  let lastLieAt = Number.NEGATIVE_INFINITY;
  let lastFault = "";
  let backoffUntil = 0;
  let falseHeadUntil = Number.NEGATIVE_INFINITY;
  /** When it counts as out, if it answers nothing until then. */
  let outAt = Number.POSITIVE_INFINITY;
  /** The refusals of eth_getLogs since one was answered. */
  let refusedLogs = { count: 0, at: 0, message: "" };

  const recentLies = () => (performance.now() - lastLieAt < lieCountsMs ? lies : 0);

  function recordFault(fault: EndpointFault): void {
    if (fault.kind === "rate") {
      counts.refused++;
      limiter.refused(fault.retryAfterMs);
      outAt = Math.min(outAt, performance.now() + outAfterMs.rate);
      if (faults === 0) lastFault = fault.message;
      return;
    }
    if (!failures.has(fault.kind)) return;
    if (fault.kind === "timeout") counts.late++;
    else counts.failed++;
    lastFault = fault.message;
    // Whoever gives a wrong answer does answer.
    if (fault.kind !== "wrong") outAt = Math.min(outAt, performance.now() + outAfterMs.fault);
    const backoff = Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.max(faults++, recentLies() - 1));
    // Half of it random, so that endpoints that failed together are not all retried together.
    backoffUntil = Math.max(backoffUntil, performance.now() + backoff * (0.5 + Math.random() / 2));
  }

  /** Whatever else it answers, an endpoint that refuses eth_getLogs is of no use for the index. */
  function noteLogs(calls: readonly Call[], answers: readonly Answer[]): void {
    for (const [index, { method }] of calls.entries()) {
      const answer = answers[index];
      if (method !== "eth_getLogs") continue;
      const { count } = refusedLogs;
      if (!(answer instanceof EndpointFault)) refusedLogs = { count: 0, at: 0, message: "" };
      else if (answer.kind === "refused")
        refusedLogs = { count: count + 1, at: performance.now(), message: answer.message };
    }
  }

  const refusesLogs = () => refusedLogs.count >= logsRefusals;
  /** Whether it has answered nothing for a while. */
  const isOut = () => performance.now() >= outAt;

  /** Fault messages go to logs and to /status, and some providers repeat the key in them. */
  function redacted(fault: EndpointFault): EndpointFault {
    fault.message = redact(fault.message);
    return fault;
  }

  async function post(calls: readonly Call[], { signal, timeouts }: SendOptions): Promise<Answer[]> {
    const requests = calls.map((call) => ({ jsonrpc: "2.0", id: nextId++, ...call }));
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    counts.requests++;
    counts.calls += calls.length;
    counts.sentBytes += body.length;
    const startedAt = performance.now();
    const timeoutMs = responseTime.timeoutMs(timeouts);
    const answer = await postJson(target, body, { timeoutMs, maxBytes, signal });
    counts.receivedBytes += answer.text.length;
    const answers = readAnswers(answer, requests);
    responseTime.learn(performance.now() - startedAt);
    return answers;
  }

  return {
    name,
    /** For the log, where the operator has to find it among the settings. */
    host: hostForLog(url),
    counts,
    /** The last block that it is known to have; undefined until it has been asked. */
    head: undefined as number | undefined,
    /** Why it must not be used, such as being on another chain; undefined if it may be. */
    excluded: undefined as string | undefined,
    /** What it accepts in one request. */
    limits: createLimits(),

    /** Requests per second that it has been found to accept. */
    get rate(): number {
      return limiter.rate;
    },
    get isHealthy(): boolean {
      return faults === 0 && !isOut() && !refusesLogs();
    },
    /** Whether it is of use for logs: not if it has answered nothing for a while, or has refused them lately. */
    get answersLogs(): boolean {
      return !isOut() && !(refusesLogs() && performance.now() - refusedLogs.at < logsRefusedMs);
    },
    /** Whether it has to be asked for logs to find out whether it still refuses them. */
    get mayTakeLogsAgain(): boolean {
      return refusesLogs() && this.answersLogs;
    },
    /** The message of its most recent fault. */
    get lastFault(): string {
      return faults === 0 && refusesLogs() ? refusedLogs.message : lastFault;
    },
    /** Milliseconds after which an answer counts as late. */
    get lateAfterMs(): number {
      return responseTime.lateAfterMs;
    },
    /** Milliseconds that a request sent now is expected to take. */
    get expectedMs(): number {
      return (responseTime.mean ?? 100) * (1 + inFlight / 4);
    },
    /** Milliseconds until this many calls may be sent; 0 or less: now. */
    waitFor(calls: number): number {
      return Math.max(backoffUntil - performance.now(), limiter.waitFor(calls));
    },

    /** Takes this many calls from the rate limit in advance, so that the next `waitFor` accounts for them. */
    reserve(calls: number): void {
      limiter.take(calls);
    },

    /**
     * Sends reserved calls, as a batch if there are several.
     *
     * @returns each call's result or fault
     * @throws EndpointFault if none of them was answered; the signal's reason once it is aborted
     */
    async send(calls: readonly Call[], options: SendOptions = {}): Promise<Answer[]> {
      const { signal } = options;
      inFlight++;
      try {
        const answers = await post(calls, options);
        const faulty = answers.filter((answer) => answer instanceof EndpointFault).map(redacted)[0];
        noteLogs(calls, answers);
        if (faulty === undefined) {
          faults = 0;
          outAt = Number.POSITIVE_INFINITY;
          limiter.succeeded(calls.length);
        } else recordFault(faulty);
        return answers;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof EndpointFault) {
          recordFault(redacted(error));
          if (calls.length === 1) noteLogs(calls, [error]);
        }
        throw error;
      } finally {
        inFlight--;
      }
    },

    /** Whether it has lately reported a head that isn't there. */
    get hasFalseHead(): boolean {
      return performance.now() < falseHeadUntil;
    },

    /** Notes whether the block that it reported as its head was there. */
    noteHead(isThere: boolean): void {
      falseHeadUntil = isThere ? Number.NEGATIVE_INFINITY : performance.now() + falseHeadMs;
    },

    /** Reports that an answer was false. Each one within a minute doubles the time for which the endpoint is left alone. */
    reportInvalidAnswer(fault: EndpointFault): void {
      lies = recentLies() + 1;
      lastLieAt = performance.now();
      recordFault(fault);
    },
  };
}

/**
 * The endpoints whose limits decide how large requests for logs are. What only fits one that doesn't answer, or doesn't have the
 * block, would wait for it, though others would answer smaller requests. If none is left, those count that may have it later.
 */
export function endpointsForLogs(
  endpoints: readonly Endpoint[],
  hasBlock: (endpoint: Endpoint) => boolean = () => true,
): readonly Endpoint[] {
  const used = endpoints.filter(({ excluded }) => excluded === undefined);
  const answering = used.filter(({ answersLogs }) => answersLogs);
  return [answering.filter(hasBlock), answering, used].find(({ length }) => length > 0) ?? endpoints;
}
