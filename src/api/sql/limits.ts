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
  /** Bytes that Postgres may send for it, and that its answer may have. */
  bytes: 10_000_000,
  /** Characters of one value, which may be a list, and values in all lists of a response. */
  valueCharacters: 1_000_000,
  listValues: 100_000,
  /** Bytes of memory that its Postgres process may use of its own, where it runs on this machine. */
  memoryBytes: 256 * 1_024 * 1_024,
  /** Statements that run concurrently, and that may queue. */
  running: 3,
  waiting: 50,
} as const;
