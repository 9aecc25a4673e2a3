import type { Endpoint } from "../endpoint/endpoint.ts";

/** How an endpoint does. Never its URL, which may contain a key. */
export type EndpointStatus = {
  name: string;
  state: "healthy" | "failing" | "excluded";
  /** What is wrong with it; null if nothing is. */
  problem: string | null;
  /** The last block that it is known to have, and how many blocks behind the highest that is; null if it is not known. */
  head: number | null;
  lagBlocks: number | null;
  /** Requests a second that it has been found to take. */
  ratePerSecond: number;
  /** HTTP requests; the calls in them; what of them was refused as too many, came too late or failed. Since the start. */
  requests: number;
  calls: number;
  refused: number;
  late: number;
  failed: number;
  sentBytes: number;
  receivedBytes: number;
  /** What it takes in one eth_getLogs; null: no limit is known. */
  blockRange: number | null;
  addresses: number | null;
};

type Watched = Pick<
  Endpoint,
  "name" | "excluded" | "isHealthy" | "lastFault" | "head" | "rate" | "counts" | "limits"
>;

/** How the endpoints of a chain do, in the order of the settings, and the portal after them. */
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
