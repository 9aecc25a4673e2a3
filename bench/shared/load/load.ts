/** What the process of the load is told, as JSON in a file. */
export type LoadJob = {
  target: LoadTarget;
  /** Requests in flight. */
  inFlight: number;
  /** Measured from after the warm-up on. */
  warmUpSeconds: number;
  seconds: number;
};

/** Where requests go, and which, sent in this order, again and again. */
export type LoadTarget =
  | { kind: "http"; port: number; requests: HttpRequest[] }
  | { kind: "sql"; databaseUrl: string; requests: SqlRequest[] };

/** A GET, or a POST of the JSON that `body` is. */
export type HttpRequest = Grouped & { path: string; body?: string };

type SqlRequest = Grouped & { text: string; values: unknown[] };

/** What kind of request it is, for times apart. */
type Grouped = { group: string };

/** What it tells, as a line of JSON. Times in milliseconds. */
export type LoadResult = {
  count: number;
  perSecond: number;
  times: Times;
  groups: Record<string, Times & { count: number }>;
  /** Answers with another status than 200, and statements that failed. */
  refused: number;
};

export type Times = { median: number; p90: number; p99: number; max: number };
