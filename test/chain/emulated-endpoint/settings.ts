/** How an emulated endpoint behaves. Everything can be changed while it runs. */
export type EndpointSettings = {
  /** URL of the node behind it. Another one makes it a fork, or another chain. */
  upstream: string;
  /** Milliseconds before each answer. */
  latencyMs: number;
  /** Requests per second, each element of a batch counting as one. A larger batch than that never passes. */
  requestsPerSecond: number;
  /** How it refuses what exceeds that: with HTTP 429, or with HTTP 200 and a JSON-RPC error. */
  rateLimitAnswer: "429" | "429 with Retry-After" | "JSON-RPC error";
  /** The most blocks and addresses of an eth_getLogs; more are an error. */
  blockRange: number;
  addresses: number;
  /** The most logs of an answer; more are an error. */
  results: number;
  /** The most logs of an answer; more are left out without a word. */
  truncatedAt: number;
  /** Whether logs have a blockTimestamp. */
  blockTimestamps: boolean;
  /** Which eth_getLogs find nothing: all, or those for a single block. */
  emptyLogs: "never" | "always" | "of single blocks";
  /** Whether every block is null. */
  nullBlocks: boolean;
  /** How many of the node's last blocks it doesn't know yet. */
  lag: number;
  /** How requests fail, and how many of them: 0.25 is every fourth. */
  breakage: Breakage | undefined;
  breakageShare: number;
  /** Whether it accepts no connections, and has closed those it had. */
  down: boolean;
};

export type Breakage = "502 with HTML" | "broken JSON" | "connection reset" | "hang";

/** An endpoint that answers everything, at once. */
export const flawless: Omit<EndpointSettings, "upstream"> = {
  latencyMs: 0,
  requestsPerSecond: Number.POSITIVE_INFINITY,
  rateLimitAnswer: "429",
  blockRange: Number.POSITIVE_INFINITY,
  addresses: Number.POSITIVE_INFINITY,
  results: Number.POSITIVE_INFINITY,
  truncatedAt: Number.POSITIVE_INFINITY,
  blockTimestamps: true,
  emptyLogs: "never",
  nullBlocks: false,
  lag: 0,
  breakage: undefined,
  breakageShare: 1,
  down: false,
};
