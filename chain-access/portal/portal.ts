import { chunk } from "../chunk.ts";
import type { EndpointFault } from "../endpoint/fault.ts";
import type { LogFilter, Range } from "../sources/log.ts";
import { createPortalClient } from "./client.ts";
import { maxAddresses } from "./query.ts";
import { type FoundLogs, readRange } from "./read-range.ts";

export type PortalOptions = {
  /** The dataset's URL, such as https://portal.sqd.dev/datasets/binance-mainnet. May contain a key. */
  url: string;
  /** Milliseconds without a byte after which a request fails. Default: 30,000. */
  idleMs?: number;
  /** Milliseconds to leave the portal alone after a fault, doubled with each further one. Default: 30,000. */
  retryMs?: number;
};

const maxRetryMs = 600_000;
/** Milliseconds before a portal that lacked blocks is asked for them again. */
const behindMs = 30_000;

export type Portal = ReturnType<typeof createPortal>;

/**
 * A portal of the SQD Network, with its health: after a fault it is left alone for a while.
 *
 * @param log called when it starts failing, and when it answers again
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

  /** Leaves the portal alone for a while. Faults during that time don't count. */
  function pause(fault: EndpointFault): void {
    const now = performance.now();
    lastFault = fault.message;
    if (now < pausedUntil) return;
    const backoff = Math.min(maxRetryMs, retryMs * 2 ** faults++);
    pausedUntil = now + Math.max(backoff, fault.retryAfterMs ?? 0);
  }

  const portal = {
    name: "portal",
    counts: client.counts,
    limits: { blocks: Number.POSITIVE_INFINITY, addresses: maxAddresses },
    rate: 2,
    /** Why it must not be used; undefined if it may be. */
    excluded: undefined as string | undefined,
    /** The last block that it has; undefined if not known. */
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
          : chunk(addresses, maxAddresses).map((part) => ({ ...filter, addresses: part }));
      const found: FoundLogs[] = [];
      // In turn, because each answer may be as large as the limits allow.
      for (const part of parts) found.push(await readRange(client, part, range));
      const [{ last }] = found as [FoundLogs];
      return { logs: found.flatMap(({ logs }) => logs), last };
    },

    /** Reports a correct answer. */
    succeeded(): void {
      if (faults === 0 || performance.now() < pausedUntil) return;
      log("portal answers again");
      faults = 0;
    },

    /** Reports a fault. */
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

    /** Reports that an answer was false. */
    reportLie: pause,
  };
  return portal;
}
