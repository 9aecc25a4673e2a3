import type { Endpoint } from "../endpoint/endpoint.ts";
import type { History } from "../history/history.ts";

/** An endpoint's health. Never its URL, which may contain a key. */
export type EndpointStatus = {
  name: string;
  state: "healthy" | "failing" | "excluded";
  /** What is wrong with it; null if it is healthy. */
  problem: string | null;
  /**
   * The last block that it says it has, and how many blocks that is behind the highest head of an endpoint that is believed; null if
   * that is not known, or not true.
   */
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
  "name" | "excluded" | "isHealthy" | "hasFalseHead" | "lastFault" | "head" | "rate" | "counts"
> & { limits: Pick<Endpoint["limits"], "blocks" | "addresses"> };

/** The status of a chain's endpoints in the order of the settings, followed by the portal's. */
export function statusOf(endpoints: readonly Watched[]): EndpointStatus[] {
  const isBelieved = ({ excluded, hasFalseHead }: Watched) => excluded === undefined && !hasFalseHead;
  const highest = Math.max(...endpoints.filter(isBelieved).flatMap(({ head }) => head ?? []));
  return endpoints.map((endpoint) => {
    const { name, excluded, isHealthy, lastFault, head, rate, counts, limits } = endpoint;
    return {
      name,
      state: excluded === undefined ? (isHealthy ? "healthy" : "failing") : "excluded",
      problem: excluded ?? (isHealthy ? null : lastFault),
      head: head ?? null,
      lagBlocks: head === undefined || !isBelieved(endpoint) ? null : highest - head,
      ratePerSecond: Math.round(rate),
      ...counts,
      blockRange: finite(limits.blocks),
      addresses: finite(limits.addresses),
    };
  });
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

/** Milliseconds between checks. */
const checkMs = 500;
/** Milliseconds that an endpoint must have been failing before it is reported. */
const failingMs = 2_000;

/**
 * Logs a line when an endpoint starts failing, and when it answers again.
 *
 * @returns a function that stops the reports
 */
export function reportHealth(
  endpoints: readonly Endpoint[],
  log: (line: string, level?: "warn") => void,
): () => void {
  const failingSince = new Map<Endpoint, number>();
  const reported = new Set<Endpoint>();

  function check(): void {
    for (const endpoint of endpoints) {
      if (endpoint.isHealthy) {
        failingSince.delete(endpoint);
        if (reported.delete(endpoint)) log(`${endpoint.name} answers again`);
        continue;
      }
      const since = failingSince.get(endpoint) ?? performance.now();
      failingSince.set(endpoint, since);
      if (reported.has(endpoint) || performance.now() - since < failingMs) continue;
      reported.add(endpoint);
      log(`${endpoint.name} fails: ${endpoint.lastFault}`, "warn");
    }
  }

  const timer = setInterval(check, checkMs);
  return () => clearInterval(timer);
}

/**
 * Creates a function that logs once if an endpoint doesn't have the block that it says is its head, and once more when it has. Far
 * behind such a head, the others seem to be the ones that lag.
 */
export function reportFalseHeads(chainId: number, log: (line: string, level?: "warn") => void) {
  const reported = new Set<Endpoint>();

  return (endpoint: Endpoint, hasIt: boolean): void => {
    const { name, host, head } = endpoint;
    if (!hasIt && !reported.has(endpoint)) {
      reported.add(endpoint);
      log(
        `${name} (${host}) says that it is at block ${head}, and doesn't have that block: it is not believed. If it is still syncing, ` +
          `this ends by itself; otherwise take it out of PONDER_RPC_URL_${chainId}`,
        "warn",
      );
    }
    if (hasIt && reported.delete(endpoint)) log(`${name} (${host}) has the block that it says it is at`);
  };
}
