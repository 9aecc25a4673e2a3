import { anySignal, ignore } from "../../config/async.ts";
import { type Call, type Endpoint, endpointsForLogs } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Answer } from "../endpoint/json-rpc.ts";
import { chunk } from "../endpoint/limits.ts";

export type PoolOptions = {
  endpoints: Endpoint[];
  /** Called with the endpoint's name for each answer that can't be true. */
  onInvalidAnswer?: (endpoint: string, fault: EndpointFault) => void;
};

export type SendOptions = {
  /** Lower goes first. History uses block numbers, so that Ponder's next blocks come first. Default: before all of them. */
  priority?: number;
  /** Restricts the request to endpoints that are known to have this block. */
  block?: number;
  /** Whether an endpoint accepts such a request. Once none does, the request fails with a fault of kind "unfit". */
  canAsk?: (endpoint: Endpoint) => boolean;
  signal?: AbortSignal;
  /** Called with the endpoint that is about to be asked. */
  onSend?: (endpoint: Endpoint) => void;
  /** Called with the reason why an endpoint did not answer, before another is chosen. */
  onFault?: (fault: EndpointFault, endpoint: Endpoint) => void;
  /** Must throw an EndpointFault of kind "wrong" for answers that can't be true. */
  check?: (results: unknown[], endpoint: Endpoint) => void;
  /** Fails after this many answers that can't be true. Unreachable endpoints are waited for instead. Default: 30. */
  maxInvalidAnswers?: number;
  /** Fails after so many answers that didn't come in time. Default: none. */
  maxTimeouts?: number;
  /** Whether to ask a second endpoint when the first is late. */
  isUrgent?: boolean;
  /** Whether all calls must be answered by the same endpoint, in their order, even if it takes no batch of them. */
  isTogether?: boolean;
  /** Whether endpoints that are of no use for logs are left out. Default: if one of the calls is eth_getLogs. */
  isForLogs?: boolean;
};

type Request = SendOptions & Required<Pick<SendOptions, "canAsk" | "isForLogs">>;

/** What became of earlier attempts: who was asked, how often no answer came in time, and whether too many were sent at once. */
type Attempts = { tried: Set<Endpoint>; timeouts: number; isRefused: boolean };

/** The calls' results, and the endpoint that they came from. */
export type Sent = { results: unknown[]; endpoint: Endpoint };

export type Pool = ReturnType<typeof createPool>;

/**
 * Faults that another endpoint, or the same one later, may not have. What is refused is only sent to other endpoints; for all other
 * faults the request has to change.
 */
const retriedKinds = new Set<EndpointFault["kind"]>(["rate", "timeout", "server", "wrong", "batch"]);
const defaultMaxInvalidAnswers = 30;
/** After this many refusals as too many requests, a batch is sent in halves. */
const maxRefusals = 2;
/** Milliseconds that an endpoint has for calls that only it may answer, such as the second and each later part of several. */
const oneMs = 15_000;

/**
 * Sends calls to the endpoint that is expected to answer first, among those that are available, have the block, and whose rate
 * allows it. If several requests wait, the earliest block goes first.
 */
export function createPool({ endpoints, onInvalidAnswer }: PoolOptions) {
  const queue = createEndpointQueue(endpoints);

  function reportInvalidAnswer(
    endpoint: Pick<Endpoint, "name" | "reportInvalidAnswer">,
    fault: EndpointFault,
  ): void {
    endpoint.reportInvalidAnswer(fault);
    onInvalidAnswer?.(endpoint.name, fault);
  }

  /** Remembers how many calls an endpoint takes at once. */
  function noteRefusal(fault: EndpointFault, calls: readonly Call[], { limits }: Endpoint): void {
    if (fault.kind === "batch") limits.learn(fault, { calls: calls.length });
  }

  /**
   * The most calls that one of the endpoints that may be asked takes at once; 0 if none may be. One that fails, or is behind the
   * block, counts only if all do: otherwise larger batches would wait for it.
   */
  function largestBatch(request: Request): number {
    const { canAsk, block = -1 } = request;
    const able = useful(endpoints, request).filter(
      (endpoint) => endpoint.excluded === undefined && canAsk(endpoint),
    );
    const ready = able.filter(({ isHealthy, head = -1 }) => isHealthy && head >= block);
    return Math.max(0, ...(ready.length > 0 ? ready : able).map(({ limits }) => limits.calls));
  }

  /** Whether an endpoint that these calls can be sent to has not been tried yet. */
  const isOneLeft = ({ length }: readonly Call[], request: Request, tried: ReadonlySet<Endpoint>): boolean =>
    useful(endpoints, request).some(
      (endpoint) =>
        endpoint.excluded === undefined &&
        !tried.has(endpoint) &&
        endpoint.limits.calls >= length &&
        (endpoint.head ?? -1) >= (request.block ?? -1) &&
        request.canAsk(endpoint),
    );

  /** One attempt, at one endpoint. */
  async function attempt(
    calls: readonly Call[],
    { check, onFault, onSend, signal }: SendOptions,
    endpoint: Endpoint,
    timeouts: number,
  ): Promise<Sent> {
    onSend?.(endpoint);
    const answers: Answer[] = await endpoint.send(calls, { signal, timeouts }).catch((error: unknown) => {
      if (error instanceof EndpointFault) noteRefusal(error, calls, endpoint);
      throw error;
    });
    const fault = answers.find((answer) => answer instanceof EndpointFault);
    if (fault !== undefined) {
      noteRefusal(fault, calls, endpoint);
      onFault?.(fault, endpoint);
      throw fault;
    }
    try {
      check?.(answers, endpoint);
    } catch (error) {
      if (error instanceof EndpointFault) reportInvalidAnswer(endpoint, error);
      throw error;
    }
    return { results: answers, endpoint };
  }

  async function send(calls: readonly Call[], sendOptions: SendOptions = {}): Promise<Sent> {
    const { canAsk = anyone, isForLogs = asksForLogs(calls) } = sendOptions;
    const options: Request = { ...sendOptions, canAsk, isForLogs };
    const { maxInvalidAnswers = defaultMaxInvalidAnswers, maxTimeouts = Number.POSITIVE_INFINITY } = options;
    const tried = new Set<Endpoint>();
    let [refusals, timeouts] = [0, 0];
    for (let lies = 0; ; ) {
      try {
        // Where time-outs are limited, the caller asks for less.
        const patience = maxTimeouts === Number.POSITIVE_INFINITY ? timeouts : 0;
        return await sendOnce(calls, options, {
          tried,
          timeouts: patience,
          isRefused: refusals >= maxRefusals,
        });
      } catch (error) {
        if (!(error instanceof EndpointFault)) throw error;
        // The last endpoint that took so many calls at once has refused them.
        const largest = largestBatch(options);
        if (error.kind === "unfit" && largest > 0 && calls.length > largest) continue;
        if (error.kind === "refused" && isOneLeft(calls, options, tried)) continue;
        if (!retriedKinds.has(error.kind) || (error.kind === "batch" && calls.length === 1)) throw error;
        if (error.kind === "wrong" && ++lies === maxInvalidAnswers) throw error;
        if (error.kind === "timeout" && ++timeouts === maxTimeouts) throw error;
        if (error.kind === "rate") refusals++;
      }
    }
  }

  async function sendOnce(
    calls: readonly Call[],
    request: Request,
    { tried, timeouts, isRefused }: Attempts,
  ): Promise<Sent> {
    const size = Math.min(
      largestBatch(request) || calls.length,
      isRefused ? Math.ceil(calls.length / 2) : calls.length,
    );
    if (calls.length > size) return await sendInParts(chunk(calls, size), request);
    const options: Request = {
      ...request,
      canAsk: (endpoint) => endpoint.limits.calls >= calls.length && request.canAsk(endpoint),
    };
    const endpoint = await queue.take(calls, options, tried);
    try {
      if (options.isUrgent !== true || endpoints.length === 1)
        return await attempt(calls, options, endpoint, timeouts);
      return await hedge(
        endpoint.lateAfterMs,
        options.signal,
        (signal) => attempt(calls, { ...options, signal }, endpoint, timeouts),
        async (signal) => {
          tried.add(endpoint);
          const urgent = { ...options, signal };
          return await attempt(calls, urgent, await queue.take(calls, urgent, tried), timeouts);
        },
      );
    } catch (error) {
      tried.add(endpoint);
      throw error;
    }
  }

  /**
   * A batch with more calls than an endpoint accepts at once, or in a second, would never be answered as a whole. Without
   * `isTogether`, it doesn't matter which endpoint answers which part.
   */
  async function sendInParts(parts: Call[][], { check, ...options }: Request): Promise<Sent> {
    const sent = options.isTogether
      ? await sendInTurn(parts, options)
      : await Promise.all(parts.map((part) => send(part, options)));
    const results = sent.flatMap((part) => part.results);
    const [{ endpoint }] = sent as [Sent];
    try {
      check?.(results, endpoint);
    } catch (error) {
      if (options.isTogether && error instanceof EndpointFault) reportInvalidAnswer(endpoint, error);
      throw error;
    }
    return { results, endpoint };
  }

  /** Sends parts one after the other, all of them to the endpoint that answers the first one. */
  async function sendInTurn([first = [], ...others]: Call[][], options: Request): Promise<Sent[]> {
    const sent = [await send(first, options)];
    const [{ endpoint }] = sent as [Sent];
    for (const part of others) sent.push(await sendTo(endpoint, part, options));
    return sent;
  }

  /** Sends calls to one particular endpoint. If it takes too long for them, throws an EndpointFault of kind "timeout". */
  async function sendTo(
    endpoint: Endpoint,
    calls: readonly Call[],
    { canAsk = anyone, ...options }: SendOptions,
  ): Promise<Sent> {
    const late = AbortSignal.timeout(oneMs);
    const signal = anySignal(late, options.signal);
    try {
      return await send(calls, { ...options, signal, canAsk: (one) => one === endpoint && canAsk(one) });
    } catch (error) {
      throw late.aborted ? new EndpointFault("timeout", "no answer in time") : error;
    }
  }

  return {
    endpoints,

    /** Reports an answer that turned out to be false. */
    reportInvalidAnswer,

    /**
     * Sends calls until an endpoint has answered all of them.
     *
     * @throws EndpointFault if the calls have to change ("range", "results", "addresses", "unfit"), if every endpoint refuses them
     * ("refused"), or after too many answers that can't be true ("wrong"); the signal's reason once it is aborted
     */
    send,
    sendTo,
  };
}

const anyone = () => true;
const asksForLogs = (calls: readonly Call[]) => calls.some(({ method }) => method === "eth_getLogs");

/** The endpoints that are of use for a request. */
const useful = (endpoints: readonly Endpoint[], { isForLogs }: Pick<Request, "isForLogs">) =>
  isForLogs ? endpointsForLogs(endpoints) : endpoints;

/**
 * Makes a second attempt once the first is late, and returns whichever result comes first. If the first attempt fails before
 * it is late, that failure is thrown and there is no second.
 */
async function hedge<T>(
  lateMs: number,
  outer: AbortSignal | undefined,
  first: (signal: AbortSignal) => Promise<T>,
  second: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const signal = anySignal(done.signal, outer);
  const late = Promise.withResolvers<void>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.resolve();
  }, lateMs);
  const rescue = late.promise.then(() => second(signal));
  const begun = first(signal).catch(async (error: unknown) => {
    if (isLate) return await rescue;
    // No second attempt is made.
    late.reject(error);
    throw error;
  });
  // If the second attempt fails, or is never made, the first one's failure is what is thrown.
  rescue.catch(ignore);
  try {
    return await Promise.any([begun, rescue]);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

type Waiting = Pick<Request, "priority" | "block" | "canAsk" | "isForLogs"> & {
  calls: number;
  /** Whether these calls, of all that the request sends in parts, ask for logs. */
  asksForLogs: boolean;
  tried: Set<Endpoint>;
  begin: (endpoint: Endpoint) => void;
  refuse: (fault: EndpointFault) => void;
};

/** Milliseconds between checks while no endpoint has the block that a request needs. */
const recheckMs = 100;

/** A queue of calls that wait for a suitable endpoint whose rate and backoff allow them. The earliest block goes first. */
function createEndpointQueue(endpoints: Endpoint[]) {
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** The endpoints that may be asked: those that haven't been tried yet, or all of them if there are no others. */
  function candidates({ block, tried }: Waiting, takers: readonly Endpoint[]): readonly Endpoint[] {
    const eligible = takers.filter(
      ({ excluded, head = -1 }) => excluded === undefined && (block === undefined || head >= block),
    );
    const untried = eligible.filter((endpoint) => !tried.has(endpoint));
    return untried.length === 0 ? eligible : untried;
  }

  /** Starts every request that can be sent now, and schedules the next run for when another can. */
  function pump(): void {
    clearTimeout(timer);
    let soonest = Number.POSITIVE_INFINITY;
    for (const waiting of [...queue]) {
      const takers = useful(endpoints, waiting).filter(waiting.canAsk);
      if (takers.length === 0) {
        queue.splice(queue.indexOf(waiting), 1);
        waiting.refuse(new EndpointFault("unfit", "no endpoint takes such a request"));
        continue;
      }
      const able = candidates(waiting, takers);
      const ready = able.filter((endpoint) => endpoint.waitFor(waiting.calls) <= 0);
      if (ready.length > 0) {
        queue.splice(queue.indexOf(waiting), 1);
        const best =
          ready.find(({ mayTakeLogsAgain }) => waiting.asksForLogs && mayTakeLogsAgain) ??
          ready.reduce((best, other) => (other.expectedMs < best.expectedMs ? other : best));
        best.reserve(waiting.calls);
        waiting.begin(best);
        continue;
      }
      const waits = able.map((endpoint) => endpoint.waitFor(waiting.calls));
      soonest = Math.min(soonest, ...waits, ...(able.length === 0 ? [recheckMs] : []));
      // Later requests must not take the tokens that this one waits for.
      if (able.length === endpoints.length) break;
    }
    if (queue.length > 0) timer = setTimeout(pump, Math.max(1, soonest));
  }

  return {
    /**
     * Waits for an endpoint that these calls can be sent to, preferably one that hasn't been tried, and reserves them there.
     *
     * @throws EndpointFault of kind "unfit" if no endpoint accepts such a request; the signal's reason once it is aborted
     */
    async take(calls: readonly Call[], options: Request, tried: Set<Endpoint>): Promise<Endpoint> {
      const { priority = Number.NEGATIVE_INFINITY, signal } = options;
      signal?.throwIfAborted();
      const { promise, resolve: begin, reject } = Promise.withResolvers<Endpoint>();
      const waiting: Waiting = {
        ...options,
        priority,
        calls: calls.length,
        asksForLogs: asksForLogs(calls),
        tried,
        begin,
        refuse: reject,
      };
      const behind = queue.findIndex((other) => (other.priority as number) > priority);
      queue.splice(behind === -1 ? queue.length : behind, 0, waiting);
      const leave = () => {
        const place = queue.indexOf(waiting);
        if (place === -1) return;
        queue.splice(place, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      pump();
      return await promise.finally(() => signal?.removeEventListener("abort", leave));
    },
  };
}
