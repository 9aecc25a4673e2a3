import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Answer } from "../endpoint/json-rpc.ts";

export type PoolOptions = {
  endpoints: Endpoint[];
  /** Told of each answer that can't be true, with the endpoint's name. */
  onLie?: (endpoint: string, fault: EndpointFault) => void;
};

export type SendOptions = {
  /** Lower is earlier. History uses block numbers, so that what Ponder indexes next comes first; default: before all of them. */
  priority?: number;
  /** Only endpoints that are known to have this block. */
  block?: number;
  /** Whether an endpoint takes such a request. If none does any more, it fails with a fault of kind "unfit". */
  canAsk?: (endpoint: Endpoint) => boolean;
  /** Told which endpoint is asked. */
  onSend?: (endpoint: Endpoint) => void;
  /** Told why an endpoint did not answer, before another is chosen. */
  onFault?: (fault: EndpointFault, endpoint: Endpoint) => void;
  /** Throws an EndpointFault of kind "wrong" for answers that can't be true. */
  check?: (results: unknown[], endpoint: Endpoint) => void;
  /** So many answers that can't be true, and it fails. Endpoints that are away are waited for. Default 30. */
  mostLies?: number;
  /** Whether to ask a second endpoint when the first is late. */
  isUrgent?: boolean;
  signal?: AbortSignal;
};

/** What a call came to, and whose answer it is. */
export type Sent = { results: unknown[]; endpoint: Endpoint };

type Waiting = SendOptions & {
  calls: readonly Call[];
  tried: Set<Endpoint>;
  begin: (endpoint: Endpoint) => void;
  refuse: (fault: EndpointFault) => void;
};

export type Pool = ReturnType<typeof createPool>;

/** Faults that another endpoint, or the same one later, may not have. What is asked has to change for the others. */
const isRetried = new Set<EndpointFault["kind"]>(["rate", "timeout", "server", "wrong"]);
const usualMostLies = 30;
/** So often a batch is refused as too many requests, and it is sent in halves. */
const mostRefusals = 2;
/** Milliseconds between two looks when no endpoint has the block that a request needs. */
const lookAgainMs = 100;

/**
 * Sends calls to whichever endpoint can answer them first: one that is healthy, has the block, and whose rate allows it. Where
 * several calls wait, the earliest block goes first.
 */
export function createPool({ endpoints, onLie }: PoolOptions) {
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Those that may be asked, without those that failed already, unless there are no others. */
  function candidates({ block, canAsk = anyone, tried }: Waiting): Endpoint[] {
    const having = endpoints.filter(
      (endpoint) =>
        endpoint.excluded === undefined &&
        canAsk(endpoint) &&
        (block === undefined || (endpoint.head ?? -1) >= block),
    );
    const untried = having.filter((endpoint) => !tried.has(endpoint));
    return untried.length === 0 ? having : untried;
  }

  /** Begins what can be sent now, and comes back when more can. */
  function pump(): void {
    clearTimeout(timer);
    let soonest = Number.POSITIVE_INFINITY;
    for (const waiting of [...queue]) {
      if (!endpoints.some(waiting.canAsk ?? anyone)) {
        queue.splice(queue.indexOf(waiting), 1);
        waiting.refuse(new EndpointFault("unfit", "no endpoint takes such a request"));
        continue;
      }
      const able = candidates(waiting);
      const ready = able.filter((endpoint) => endpoint.waitFor(waiting.calls.length) <= 0);
      if (ready.length > 0) {
        queue.splice(queue.indexOf(waiting), 1);
        const best = ready.reduce((best, other) => (other.expected < best.expected ? other : best));
        best.reserve(waiting.calls.length);
        waiting.begin(best);
        continue;
      }
      const waits = able.map((endpoint) => endpoint.waitFor(waiting.calls.length));
      soonest = Math.min(soonest, ...waits, ...(able.length === 0 ? [lookAgainMs] : []));
      // What comes later must not take the tokens that this one waits for.
      if (able.length === endpoints.length) break;
    }
    if (queue.length > 0) timer = setTimeout(pump, Math.max(1, soonest));
  }

  async function turn(calls: readonly Call[], options: SendOptions, tried: Set<Endpoint>): Promise<Endpoint> {
    const { priority = Number.NEGATIVE_INFINITY, signal } = options;
    signal?.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<Endpoint>();
    const waiting: Waiting = { ...options, priority, calls, tried, begin, refuse: reject };
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
  }

  function lied(endpoint: Pick<Endpoint, "name" | "lied">, fault: EndpointFault): void {
    endpoint.lied(fault);
    onLie?.(endpoint.name, fault);
  }

  /** One attempt, at one endpoint. */
  async function attempt(
    calls: readonly Call[],
    { check, onFault, onSend, signal }: SendOptions,
    endpoint: Endpoint,
  ): Promise<Sent> {
    onSend?.(endpoint);
    const answers: Answer[] = await endpoint.send(calls, signal);
    const fault = answers.find((answer) => answer instanceof EndpointFault);
    if (fault !== undefined) {
      onFault?.(fault, endpoint);
      throw fault;
    }
    try {
      check?.(answers, endpoint);
    } catch (error) {
      if (error instanceof EndpointFault) lied(endpoint, error);
      throw error;
    }
    return { results: answers, endpoint };
  }

  /** The answer of the first of two endpoints, of which the second is asked once the first is late. */
  async function hedged(
    calls: readonly Call[],
    options: SendOptions,
    first: Endpoint,
    tried: Set<Endpoint>,
  ): Promise<Sent> {
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    const late = Promise.withResolvers<void>();
    const lateTimer = setTimeout(late.resolve, first.late);
    const begun = attempt(calls, { ...options, signal }, first);
    const second = late.promise.then(async () => {
      tried.add(first);
      return await attempt(calls, { ...options, signal }, await turn(calls, { ...options, signal }, tried));
    });
    // A fault of the first before it is late is for the caller to handle.
    const settled = begun.catch(async (error: unknown) => {
      if (tried.has(first)) return await second;
      // There won't be a second.
      late.reject(error);
      throw error;
    });
    second.catch(leaveToTheFirst);
    try {
      return await Promise.any([settled, second]);
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    } finally {
      clearTimeout(lateTimer);
      done.abort();
    }
  }

  async function send(calls: readonly Call[], options: SendOptions): Promise<Sent> {
    const { mostLies = usualMostLies } = options;
    const tried = new Set<Endpoint>();
    let refusals = 0;
    for (let lies = 0; ; ) {
      try {
        return await sendOnce(calls, options, tried, refusals >= mostRefusals);
      } catch (error) {
        if (!(error instanceof EndpointFault) || !isRetried.has(error.kind)) throw error;
        if (error.kind === "wrong" && ++lies === mostLies) throw error;
        if (error.kind === "rate") refusals++;
      }
    }
  }

  async function sendOnce(
    calls: readonly Call[],
    options: SendOptions,
    tried: Set<Endpoint>,
    isTooMuch: boolean,
  ): Promise<Sent> {
    if (isTooMuch && calls.length > 1) return await sendInHalves(calls, options);
    const endpoint = await turn(calls, options, tried);
    try {
      return options.isUrgent === true && endpoints.length > 1
        ? await hedged(calls, options, endpoint, tried)
        : await attempt(calls, options, endpoint);
    } catch (error) {
      tried.add(endpoint);
      throw error;
    }
  }

  /** A batch with more calls than an endpoint takes in a second would never be answered. */
  async function sendInHalves(calls: readonly Call[], { check, ...options }: SendOptions): Promise<Sent> {
    const middle = Math.ceil(calls.length / 2);
    const halves = [calls.slice(0, middle), calls.slice(middle)];
    const sent = (await Promise.all(halves.map((half) => send(half, options)))) as [Sent, Sent];
    const results = sent.flatMap((half) => half.results);
    const [{ endpoint }] = sent;
    check?.(results, endpoint);
    return { results, endpoint };
  }

  return {
    endpoints,

    /** Reports an answer that turned out not to be true. */
    lied,

    /**
     * Sends calls until an endpoint has answered all of them.
     *
     * @throws EndpointFault of a kind that means the calls have to change ("range", "results", "addresses", "unfit",
     * "refused"), or "wrong" after too many answers that can't be true; the signal's reason
     */
    async send(calls: readonly Call[], options: SendOptions = {}): Promise<Sent> {
      return await send(calls, options);
    },
  };
}

const anyone = () => true;

/** Whether the second was of use shows in the first's outcome. */
const leaveToTheFirst = () => {};
