/** What a statement of a client may take. docs/analysts.md lists these. */
export const sqlLimits = {
  /** Characters of the statement. */
  characters: 10_000,
  /** Values of `params`. */
  params: 100,
  /** Seconds that it may run. */
  seconds: 10,
  /** Rows of an answer. */
  rows: 10_000,
  /** Bytes that Postgres may send. */
  bytes: 10_000_000,
  /** Bytes of memory that its process of Postgres may take, where we see it. */
  memoryBytes: 256 * 1_024 * 1_024,
  /** Statements that run at a time, and that wait for their turn. */
  running: 3,
  waiting: 50,
} as const;

/** What a live query may take each time that it runs, since it does with every block. */
export const liveLimits = {
  seconds: 3,
  rows: 1_000,
  bytes: 1_000_000,
  /** Different statements that are kept live, and all subscriptions to them. */
  statements: 50,
  clients: 500,
  /** Subscriptions of one address. */
  perAddress: 20,
  /** Milliseconds between two looks for new blocks. */
  everyMs: 500,
} as const;
