import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Answer } from "../endpoint/json-rpc.ts";
import { createEndpointQueue, type QueueOptions } from "./endpoint-queue.ts";
import { hedge } from "./hedge.ts";

export type PoolOptions = {
  endpoints: Endpoint[];
  /** Called with the endpoint's name for each answer that can't be true. */
  onLie?: (endpoint: string, fault: EndpointFault) => void;
};

export type SendOptions = QueueOptions & {
  /** Called with the endpoint that is about to be asked. */
  onSend?: (endpoint: Endpoint) => void;
  /** Called with the reason why an endpoint did not answer, before another is chosen. */
  onFault?: (fault: EndpointFault, endpoint: Endpoint) => void;
  /** Must throw an EndpointFault of kind "wrong" for answers that can't be true. */
  check?: (results: unknown[], endpoint: Endpoint) => void;
  /** Fails after this many answers that can't be true. Unreachable endpoints are waited for instead. Default: 30. */
  maxLies?: number;
  /** Whether to ask a second endpoint when the first is late. */
  isUrgent?: boolean;
};

/** The calls' results, and the endpoint that they came from. */
export type Sent = { results: unknown[]; endpoint: Endpoint };

export type Pool = ReturnType<typeof createPool>;

/** Faults that another endpoint, or the same one later, may not have. For all others the request has to change. */
const retriedKinds = new Set<EndpointFault["kind"]>(["rate", "timeout", "server", "wrong"]);
const defaultMaxLies = 30;
/** After this many refusals as too many requests, a batch is sent in halves. */
const maxRefusals = 2;

/**
 * Sends calls to the endpoint that is expected to answer first, among those that are available, have the block, and whose rate
 * allows it. If several requests wait, the earliest block goes first.
 */
export function createPool({ endpoints, onLie }: PoolOptions) {
  const queue = createEndpointQueue(endpoints);

  function reportLie(endpoint: Pick<Endpoint, "name" | "reportLie">, fault: EndpointFault): void {
    endpoint.reportLie(fault);
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
      if (error instanceof EndpointFault) reportLie(endpoint, error);
      throw error;
    }
    return { results: answers, endpoint };
  }

  async function send(calls: readonly Call[], options: SendOptions): Promise<Sent> {
    const { maxLies = defaultMaxLies } = options;
    const tried = new Set<Endpoint>();
    let refusals = 0;
    for (let lies = 0; ; ) {
      try {
        return await sendOnce(calls, options, tried, refusals >= maxRefusals);
      } catch (error) {
        if (!(error instanceof EndpointFault) || !retriedKinds.has(error.kind)) throw error;
        if (error.kind === "wrong" && ++lies === maxLies) throw error;
        if (error.kind === "rate") refusals++;
      }
    }
  }

  async function sendOnce(
    calls: readonly Call[],
    options: SendOptions,
    tried: Set<Endpoint>,
    isBatchTooLarge: boolean,
  ): Promise<Sent> {
    if (isBatchTooLarge && calls.length > 1) return await sendInHalves(calls, options);
    const endpoint = await queue.take(calls.length, options, tried);
    try {
      if (options.isUrgent !== true || endpoints.length === 1) return await attempt(calls, options, endpoint);
      return await hedge(
        endpoint.lateAfterMs,
        options.signal,
        (signal) => attempt(calls, { ...options, signal }, endpoint),
        async (signal) => {
          tried.add(endpoint);
          const urgent = { ...options, signal };
          return await attempt(calls, urgent, await queue.take(calls.length, urgent, tried));
        },
      );
    } catch (error) {
      tried.add(endpoint);
      throw error;
    }
  }

  /** A batch with more calls than an endpoint accepts in a second would never be answered as a whole. */
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

    /** Reports an answer that turned out to be false. */
    reportLie,

    /**
     * Sends calls until an endpoint has answered all of them.
     *
     * @throws EndpointFault if the calls have to change ("range", "results", "addresses", "unfit", "refused"), or after too many
     * answers that can't be true ("wrong"); the signal's reason once it is aborted
     */
    async send(calls: readonly Call[], options: SendOptions = {}): Promise<Sent> {
      return await send(calls, options);
    },
  };
}
