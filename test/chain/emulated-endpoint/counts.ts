import type { Call } from "./json-rpc.ts";

export type MethodCounts = {
  /** HTTP requests or WebSocket messages. A batch, including its bytes, counts for its first method. */
  requests: number;
  /** JSON-RPC calls: each element of a batch counts. */
  elements: number;
  /** The elements that exceeded a rate limit. */
  refused: number;
  /** The size of uncompressed bodies. */
  bytesIn: number;
  bytesOut: number;
};

const none: MethodCounts = { requests: 0, elements: 0, refused: 0, bytesIn: 0, bytesOut: 0 };

export type Counts = ReturnType<typeof createCounts>;

/** Counts an endpoint's requests by method. */
export function createCounts() {
  let byMethod: Record<string, MethodCounts> = {};

  function of(method = "none"): MethodCounts {
    byMethod[method] ??= { ...none };
    return byMethod[method];
  }

  return {
    /** Records a request. Returns a function that records the size of its answer. */
    request(calls: readonly Call[], bytes: number): (bytes: number) => void {
      const first = of(calls[0]?.method);
      first.requests++;
      first.bytesIn += bytes;
      for (const { method } of calls) of(method).elements++;
      return (written) => {
        first.bytesOut += written;
      };
    },
    /** Records a message that was sent without a request. */
    pushed(method: string, bytes: number): void {
      of(method).bytesOut += bytes;
    },
    refused(calls: readonly Call[]): void {
      for (const { method } of calls) of(method).refused++;
    },
    byMethod: (): Record<string, MethodCounts> => structuredClone(byMethod),
    total(): MethodCounts {
      const sum = { ...none };
      for (const counts of Object.values(byMethod)) {
        for (const key of Object.keys(sum) as (keyof MethodCounts)[]) sum[key] += counts[key];
      }
      return sum;
    },
    reset(): void {
      byMethod = {};
    },
  };
}
