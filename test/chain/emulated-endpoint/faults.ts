import type { EndpointSettings } from "./settings.ts";

/** URLs of nodes that some faults put behind the endpoint. */
export type OtherNodes = { fork: string; otherChain: string };

/** The settings for every known fault of endpoints, by name. */
export const faults = {
  "429": () => ({ requestsPerSecond: 10, rateLimitAnswer: "429" }),
  "429 with Retry-After": () => ({ requestsPerSecond: 10, rateLimitAnswer: "429 with Retry-After" }),
  "JSON-RPC rate-limit errors": () => ({ requestsPerSecond: 10, rateLimitAnswer: "JSON-RPC error" }),
  "502 with HTML": () => ({ breakage: "502 with HTML" }),
  "broken JSON": () => ({ breakage: "broken JSON" }),
  "connection resets": () => ({ breakage: "connection reset" }),
  hangs: () => ({ breakage: "hang" }),
  "null blocks": () => ({ nullBlocks: true }),
  "empty logs for a block that has some": () => ({ emptyLogs: "of single blocks" }),
  "empty logs for every range": () => ({ emptyLogs: "always" }),
  "results truncated at 1,000 logs": () => ({ truncatedAt: 1_000 }),
  "results truncated at 777 logs": () => ({ truncatedAt: 777 }),
  "an error above 1,000 logs": () => ({ results: 1_000 }),
  "a range limit": () => ({ blockRange: 5 }),
  "an address limit": () => ({ addresses: 2 }),
  "a lagging endpoint": () => ({ lag: 40 }),
  "an endpoint on a fork": ({ fork }) => ({ upstream: fork }),
  "an endpoint that is down": () => ({ down: true }),
  "logs without blockTimestamp": () => ({ blockTimestamps: false }),
  "blockTimestamp in milliseconds": () => ({ blockTimestamps: "in milliseconds" }),
  "a batch limit": () => ({ batchSize: 3 }),
  "no batches": () => ({ batchSize: 1 }),
  "a head that is far too high": () => ({ headAhead: 1_000_000 }),
  "old logs that are missing": () => ({ logsFrom: 20 }),
  "logs that lag behind the head": () => ({ logsLag: 45 }),
  "logs that lag behind the head, in split batches": () => ({ logsLag: 45, logsBackend: "single calls" }),
  "logs that lag behind the head, with errors": () => ({ logsLag: 45, refusesFuture: true }),
  "a different chain behind the URL": ({ otherChain }) => ({ upstream: otherChain }),
  "wrong times of blocks": () => ({ addedSeconds: 5 }),
  "every log twice": () => ({ repeatsLogs: true }),
  "no logs without an address": () => ({ needsAddress: true }),
} satisfies Record<string, (nodes: OtherNodes) => Partial<EndpointSettings>>;

export const faultNames = Object.keys(faults) as (keyof typeof faults)[];

/** Without those that only show in the history: new blocks here have few logs, which are read by the block's hash. */
export const liveFaultNames = faultNames.filter((name) => !/\d logs$|old logs|lag behind|seconds/.test(name));
