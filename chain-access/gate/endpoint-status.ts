import type { Endpoint } from "../endpoint/endpoint.ts";
import type { History } from "../history/history.ts";

/** An endpoint's health. Never its URL, which may contain a key. */
export type EndpointStatus = {
  name: string;
  state: "healthy" | "failing" | "excluded";
  /** What is wrong with it; null if it is healthy. */
  problem: string | null;
  /** The last block that it is known to have, and how many blocks that is behind the highest head; null if not known. */
  head: number | null;
  lagBlocks: number | null;
  /** Requests per second that it has been found to accept. */
  ratePerSecond: number;
  /** Since startup: HTTP requests, the calls in them, and how many were refused as too many, timed out or failed. */
  requests: number;
  calls: number;
  refused: number;
  late: number;
  failed: number;
  sentBytes: number;
  receivedBytes: number;
  /** What it accepts in one eth_getLogs; null: no limit is known. */
  blockRange: number | null;
  addresses: number | null;
};

type Watched = Pick<
  Endpoint,
  "name" | "excluded" | "isHealthy" | "lastFault" | "head" | "rate" | "counts"
> & { limits: Pick<Endpoint["limits"], "blocks" | "addresses"> };

/** The status of a chain's endpoints in the order of the settings, followed by the portal's. */
export function statusOf(endpoints: readonly Watched[]): EndpointStatus[] {
  const highest = Math.max(...endpoints.flatMap(({ head, excluded }) => (excluded ? [] : (head ?? []))));
  return endpoints.map(({ name, excluded, isHealthy, lastFault, head, rate, counts, limits }) => ({
    name,
    state: excluded === undefined ? (isHealthy ? "healthy" : "failing") : "excluded",
    problem: excluded ?? (isHealthy ? null : lastFault),
    head: head ?? null,
    lagBlocks: head === undefined || excluded !== undefined ? null : highest - head,
    ratePerSecond: Math.round(rate),
    ...counts,
    blockRange: finite(limits.blocks),
    addresses: finite(limits.addresses),
  }));
}

const finite = (limit: number): number | null => (Number.isFinite(limit) ? limit : null);

/** Milliseconds between lines: on a terminal, where they are drawn as a bar, and elsewhere. */
const everyMs = { terminal: 1_000, elsewhere: 10_000 };

/**
 * Logs the progress of reading history: blocks, events, requests, time left.
 *
 * @returns a function that stops the reports
 */
export function reportProgress(
  history: Pick<History, "progress">,
  endpoints: readonly Pick<Endpoint, "counts">[],
  log: (line: string, level?: "warn") => void,
  isForTerminal = false,
): () => void {
  const startedAt = performance.now();
  // Created with the first line, because it is slow to create and most runs have nothing to report.
  let format: Intl.NumberFormat | undefined;
  let isUnderWay = false;

  const timer = setInterval(
    () => {
      const { blocks, wanted, events } = history.progress;
      if (blocks >= wanted && !isUnderWay) return;
      isUnderWay = blocks < wanted;
      const seconds = (performance.now() - startedAt) / 1_000;
      const left = blocks === 0 ? undefined : ((wanted - blocks) * seconds) / blocks;
      const requests = endpoints.reduce((sum, { counts }) => sum + counts.calls, 0);
      format ??= new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
      const parts = [
        `${format.format(blocks)} of ${format.format(wanted)} blocks`,
        `${format.format(events)} events`,
        `${format.format(requests)} requests`,
        ...(left === undefined ? [] : [`${inWords(left)} left`]),
      ];
      log(`history ${Math.floor((100 * blocks) / wanted)} %: ${parts.join(", ")}`);
    },
    isForTerminal ? everyMs.terminal : everyMs.elsewhere,
  );
  return () => clearInterval(timer);
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}
