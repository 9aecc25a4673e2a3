/** Limits of a client's statement. docs/analysts.md lists these. */
export const sqlLimits = {
  /** Characters in the statement. */
  characters: 10_000,
  /** Values in `params`. */
  params: 100,
  /** Seconds that it may run. */
  seconds: 10,
  /** Rows in a response. */
  rows: 10_000,
  /** Bytes that Postgres may send for it. */
  bytes: 10_000_000,
  /** Bytes of memory that its Postgres process may use, if we can see them. */
  memoryBytes: 256 * 1_024 * 1_024,
  /** Statements that run concurrently, and that may queue. */
  running: 3,
  waiting: 50,
} as const;

/** Limits of a live query, each time it runs: tighter ones, since it runs with every block. */
export const liveLimits = {
  seconds: 3,
  rows: 1_000,
  bytes: 1_000_000,
  /** Distinct live statements, and subscriptions to them in all. */
  statements: 50,
  clients: 500,
  /** Subscriptions from one address. */
  perAddress: 20,
  /** Milliseconds between checks for new blocks. */
  pollIntervalMs: 500,
} as const;
