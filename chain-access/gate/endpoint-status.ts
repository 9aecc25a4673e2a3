import type { Endpoint } from "../endpoint/endpoint.ts";

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
