import { type Call, logFilterOf } from "./json-rpc.ts";

export type MethodCounts = {
  /** HTTP requests or WebSocket messages. A batch, including its bytes, counts for its first method. */
  requests: number;
  /** JSON-RPC calls: each element of a batch counts. */
  elements: number;
  /** The elements that exceeded a rate limit. */
  refused: number;
  /** The elements that asked for the logs of all contracts. */
  unfiltered: number;
  /** The size of uncompressed bodies. */
  bytesIn: number;
  bytesOut: number;
  /** The size of answers as they were sent. */
  gzipOut: number;
};

const none: MethodCounts = {
  requests: 0,
  elements: 0,
  refused: 0,
  unfiltered: 0,
  bytesIn: 0,
  bytesOut: 0,
  gzipOut: 0,
};

/** Records the size of an answer, and its size as sent, if that is compressed. */
export type NoteBytes = (bytes: number, sent?: number) => void;

export type Counts = ReturnType<typeof createCounts>;

/** Counts an endpoint's requests by method. */
export function createCounts() {
  let byMethod: Record<string, MethodCounts> = {};

  function of(method = "none"): MethodCounts {
    byMethod[method] ??= { ...none };
    return byMethod[method];
  }

  return {
    request(calls: readonly Call[], bytes: number): NoteBytes {
      const first = of(calls[0]?.method);
      first.requests++;
      first.bytesIn += bytes;
      for (const call of calls) {
        const counts = of(call.method);
        const filter = logFilterOf(call);
        counts.elements++;
        if (filter !== undefined && filter.address === undefined) counts.unfiltered++;
      }
      return (written, sent = written) => {
        first.bytesOut += written;
        first.gzipOut += sent;
      };
    },
    /** Records a message that was sent without a request. */
    pushed(method: string, bytes: number): void {
      of(method).bytesOut += bytes;
      of(method).gzipOut += bytes;
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
