import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";

export type QueueOptions = {
  /** Lower goes first. History uses block numbers, so that Ponder's next blocks come first. Default: before all of them. */
  priority?: number;
  /** Restricts the request to endpoints that are known to have this block. */
  block?: number;
  /** Whether an endpoint accepts such a request. Once none does, the request fails with a fault of kind "unfit". */
  canAsk?: (endpoint: Endpoint) => boolean;
  signal?: AbortSignal;
};

type Waiting = QueueOptions & {
  calls: number;
  tried: Set<Endpoint>;
  begin: (endpoint: Endpoint) => void;
  refuse: (fault: EndpointFault) => void;
};

/** Milliseconds between checks while no endpoint has the block that a request needs. */
const recheckMs = 100;

/** A queue of calls that wait for a suitable endpoint whose rate and backoff allow them. The earliest block goes first. */
export function createEndpointQueue(endpoints: Endpoint[]) {
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** The endpoints that may be asked: those that haven't been tried yet, or all of them if there are no others. */
  function candidates({ block, canAsk = anyone, tried }: Waiting): Endpoint[] {
    const eligible = endpoints.filter(
      (endpoint) =>
        endpoint.excluded === undefined &&
        canAsk(endpoint) &&
        (block === undefined || (endpoint.head ?? -1) >= block),
    );
    const untried = eligible.filter((endpoint) => !tried.has(endpoint));
    return untried.length === 0 ? eligible : untried;
  }

  /** Starts every request that can be sent now, and schedules the next run for when another can. */
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
      const ready = able.filter((endpoint) => endpoint.waitFor(waiting.calls) <= 0);
      if (ready.length > 0) {
        queue.splice(queue.indexOf(waiting), 1);
        const best = ready.reduce((best, other) => (other.expectedMs < best.expectedMs ? other : best));
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
     * Waits for an endpoint that this many calls can be sent to, preferably one that hasn't been tried, and reserves them there.
     *
     * @throws EndpointFault of kind "unfit" if no endpoint accepts such a request; the signal's reason once it is aborted
     */
    async take(calls: number, options: QueueOptions, tried: Set<Endpoint>): Promise<Endpoint> {
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
    },
  };
}

const anyone = () => true;
