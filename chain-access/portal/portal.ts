import { chunk } from "../chunk.ts";
import type { EndpointFault } from "../endpoint/fault.ts";
import type { LogFilter, Range } from "../sources/log.ts";
import { createPortalClient } from "./client.ts";
import { mostAddresses } from "./query.ts";
import { type FoundLogs, readRange } from "./read-range.ts";

export type PortalOptions = {
  /** Of the dataset, such as https://portal.sqd.dev/datasets/binance-mainnet. May contain a key. */
  url: string;
  /** Milliseconds without a byte after which a request is given up. Default: 30,000. */
  idleMs?: number;
  /** Milliseconds for which it is left alone after a fault, and twice as many after the next one. Default: 30,000. */
  retryMs?: number;
};

/** Milliseconds. */
const longestRetryMs = 600_000;
/** Milliseconds after which a portal that lacked blocks is asked for them again. */
const behindMs = 30_000;

export type Portal = ReturnType<typeof createPortal>;

/**
 * A portal of the SQD Network, and how it does: after a fault it is left alone for a while.
 *
 * @param log told when it begins to fail, and when it answers again
 */
export function createPortal(
  { url, idleMs = 30_000, retryMs = 30_000 }: PortalOptions,
  log: (line: string) => void,
) {
  const client = createPortalClient({ url, idleMs });
  let faults = 0;
  let lastFault = "";
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let behind = { head: Number.POSITIVE_INFINITY, until: 0 };

  /** Leaves it alone. Faults that come together count once. */
  function pause(fault: EndpointFault): void {
    const now = performance.now();
    lastFault = fault.message;
    if (now < pausedUntil) return;
    const backoff = Math.min(longestRetryMs, retryMs * 2 ** faults++);
    pausedUntil = now + Math.max(backoff, fault.retryAfterMs ?? 0);
  }

  const portal = {
    name: "portal",
    counts: client.counts,
    limits: { blocks: Number.POSITIVE_INFINITY, addresses: mostAddresses },
    rate: 2,
    /** Why it must not be asked; undefined if it may. */
    excluded: undefined as string | undefined,
    /** The last block that it has; undefined: not known. */
    head: undefined as number | undefined,

    get isHealthy(): boolean {
      return faults === 0;
    },
    get lastFault(): string {
      return lastFault;
    },

    /** Whether it is worth asking for a range. */
    isWorthAsking({ to }: Range): boolean {
      const now = performance.now();
      return now >= pausedUntil && (to <= behind.head || now >= behind.until);
    },

    /**
     * Reads all logs of a range.
     *
     * @throws EndpointFault
     */
    async read(filter: LogFilter, range: Range): Promise<FoundLogs> {
      const { addresses } = filter;
      const parts =
        addresses === undefined
          ? [filter]
          : chunk(addresses, mostAddresses).map((part) => ({ ...filter, addresses: part }));
      const found: FoundLogs[] = [];
      // One after the other: each may be as long as an answer may be.
      for (const part of parts) found.push(await readRange(client, part, range));
      const [{ last }] = found as [FoundLogs];
      return { logs: found.flatMap(({ logs }) => logs), last };
    },

    /** Reports that an answer was right. */
    succeeded(): void {
      if (faults === 0 || performance.now() < pausedUntil) return;
      log("portal answers again");
      faults = 0;
    },

    /** Reports why there is no answer. */
    failed(fault: EndpointFault): void {
      if (fault.kind === "unfit") {
        portal.head = fault.limit;
        if (performance.now() >= behind.until)
          log(`portal has blocks up to ${fault.limit}: later ones are read from the RPC endpoints`);
        behind = { head: fault.limit ?? -1, until: performance.now() + behindMs };
        return;
      }
      if (faults === 0)
        log(`portal fails: ${fault.message}. History is read from the RPC endpoints meanwhile`);
      pause(fault);
    },

    /** Reports that an answer was not true. */
    lied: pause,
  };
  return portal;
}
