/** Requests of each kind that a client may make per minute. */
export type RateLimitSettings = {
  /** Undefined if not set: then on, but off on the local stack. */
  isOn: boolean | undefined;
  /** Whether replicas count together, in Postgres. */
  isShared: boolean;
  reads: number;
  writes: number;
  uploads: number;
};
