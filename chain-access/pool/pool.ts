import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Answer } from "../endpoint/json-rpc.ts";
import { createEndpointQueue, type QueueOptions } from "./endpoint-queue.ts";
import { hedge } from "./hedge.ts";

export type PoolOptions = {
  endpoints: Endpoint[];
  /** Told of each answer that can't be true, with the endpoint's name. */
  onLie?: (endpoint: string, fault: EndpointFault) => void;
};

export type SendOptions = QueueOptions & {
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
};

/** What a call came to, and whose answer it is. */
export type Sent = { results: unknown[]; endpoint: Endpoint };

export type Pool = ReturnType<typeof createPool>;

/** Faults that another endpoint, or the same one later, may not have. What is asked has to change for the others. */
const isRetried = new Set<EndpointFault["kind"]>(["rate", "timeout", "server", "wrong"]);
const usualMostLies = 30;
/** So often a batch is refused as too many requests, and it is sent in halves. */
const mostRefusals = 2;

/**
 * Sends calls to whichever endpoint can answer them first: one that is healthy, has the block, and whose rate allows it. Where
 * several calls wait, the earliest block goes first.
 */
export function createPool({ endpoints, onLie }: PoolOptions) {
  const queue = createEndpointQueue(endpoints);

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
    const endpoint = await queue.take(calls.length, options, tried);
    try {
      if (options.isUrgent !== true || endpoints.length === 1) return await attempt(calls, options, endpoint);
      return await hedge(
        endpoint.late,
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
