/** The input of the load process, as JSON in a file. */
export type LoadJob = {
  target: LoadTarget;
  /** Requests in flight. */
  inFlight: number;
  /** Requests during the warm-up don't count. */
  warmUpSeconds: number;
  seconds: number;
};

/** The server and its requests, which are sent in this order, over and over. */
export type LoadTarget =
  | { kind: "http"; port: number; requests: HttpRequest[] }
  | { kind: "sql"; databaseUrl: string; requests: SqlRequest[] };

/** A GET, or a POST if there is a `body` (JSON). */
export type HttpRequest = Grouped & { path: string; body?: string };

type SqlRequest = Grouped & { text: string; values: unknown[] };

/** The kind of a request. Times are reported for each kind. */
type Grouped = { group: string };

/** The output of the load process, as a line of JSON. Times are in milliseconds. */
export type LoadResult = {
  count: number;
  perSecond: number;
  times: Times;
  groups: Record<string, Times & { count: number }>;
  /** The number of answers with a status other than 200, and of failed statements. */
  refused: number;
};

export type Times = { median: number; p90: number; p99: number; max: number };
