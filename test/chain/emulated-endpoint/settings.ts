import type { Log } from "../../../chain-access/sources/log.ts";

/** How an emulated endpoint behaves. Everything can be changed while it runs. */
export type EndpointSettings = {
  /** The URL of the node behind it. Another node turns it into a fork, or another chain. */
  upstream: string;
  /** Whether it compresses answers over HTTP. */
  gzip: boolean;
  /** The delay before each answer, in milliseconds. */
  latencyMs: number;
  /** Requests per second. Each element of a batch counts, and a batch with more elements than this never passes. */
  requestsPerSecond: number;
  /** How it refuses requests beyond that: with HTTP 429, or with HTTP 200 and a JSON-RPC error. */
  rateLimitAnswer: "429" | "429 with Retry-After" | "JSON-RPC error";
  /** The maximum number of blocks and of addresses per eth_getLogs; more are an error. */
  blockRange: number;
  addresses: number;
  /** Whether every eth_getLogs must name the contracts. */
  needsAddress: boolean;
  /** Logs that contracts other than ours emit in each block. BNB Smart Chain has some 400. */
  foreignLogs: number;
  /** The maximum number of logs per answer; more are an error. */
  results: number;
  /** The maximum number of logs per answer; more are silently left out. */
  truncatedAt: number;
  /** Whether logs have a blockTimestamp. */
  blockTimestamps: boolean | "in milliseconds";
  /** The first block that it has logs of. */
  logsFrom: number;
  /** Which logs it leaves out of its answers: a function of the log, and of whether a single block's logs were requested. */
  losesLog: ((log: Log, isOfOneBlock: boolean) => boolean) | undefined;
  /** Which eth_getLogs return nothing: all, or those for a single block. */
  emptyLogs: "never" | "always" | "of single blocks";
  /** Whether it returns every log twice. */
  repeatsLogs: boolean;
  /** The seconds that it adds to the times of blocks. */
  addedSeconds: number;
  /** Whether every block is null. */
  nullBlocks: boolean;
  /** The number of the node's last blocks that it doesn't know yet. */
  lag: number;
  /** The number of the node's last blocks that its backend for eth_getLogs doesn't know yet. */
  logsLag: number;
  /** Which calls go to that backend: each request with an eth_getLogs as a whole, or only the eth_getLogs themselves. */
  logsBackend: "whole requests" | "single calls";
  /** Whether a lagging backend refuses ranges beyond its head. By default it answers for the blocks that it has. */
  refusesFuture: boolean;
  /** How many blocks too high the head is that it reports. */
  headAhead: number;
  /** The number of the node's last blocks that it has the state of; calls at older ones are an error. */
  states: number;
  /** The maximum number of calls in a batch; more are an error. */
  batchSize: number;
  /** How requests fail, and what share of them: 0.25 is every fourth. */
  breakage: Breakage | undefined;
  breakageShare: number;
  /** Where it redirects every request to. */
  redirectTo: string | undefined;
  /** Whether it refuses connections, and has closed the ones it had. */
  down: boolean;
};

export type Breakage = "502 with HTML" | "broken JSON" | "connection reset" | "hang";

/** The settings of an endpoint that answers everything immediately. */
export const flawless: Omit<EndpointSettings, "upstream"> = {
  gzip: false,
  latencyMs: 0,
  requestsPerSecond: Number.POSITIVE_INFINITY,
  rateLimitAnswer: "429",
  blockRange: Number.POSITIVE_INFINITY,
  addresses: Number.POSITIVE_INFINITY,
  needsAddress: false,
  foreignLogs: 0,
  results: Number.POSITIVE_INFINITY,
  truncatedAt: Number.POSITIVE_INFINITY,
  blockTimestamps: true,
  logsFrom: 0,
  losesLog: undefined,
  emptyLogs: "never",
  repeatsLogs: false,
  addedSeconds: 0,
  nullBlocks: false,
  lag: 0,
  logsLag: 0,
  logsBackend: "whole requests",
  refusesFuture: false,
  headAhead: 0,
  states: Number.POSITIVE_INFINITY,
  batchSize: Number.POSITIVE_INFINITY,
  breakage: undefined,
  breakageShare: 1,
  redirectTo: undefined,
  down: false,
};
