/** What the process of the load is told, as JSON in a file. */
export type LoadJob = {
  port: number;
  /** Requests in flight. */
  inFlight: number;
  /** Measured from after the warm-up on. */
  warmUpSeconds: number;
  seconds: number;
  /** Sent in this order, again and again. */
  requests: LoadRequest[];
};

export type LoadRequest = {
  path: string;
  /** What kind of request it is, for times apart. */
  group: string;
};

/** What it tells, as a line of JSON. Times in milliseconds. */
export type LoadResult = {
  count: number;
  perSecond: number;
  times: Times;
  groups: Record<string, Times & { count: number }>;
  /** Answers with another status than 200. */
  refused: number;
};

export type Times = { median: number; p90: number; p99: number; max: number };
