/** Too many searches are already running and waiting. */
export class PoolBusyError extends Error {
  override name = "PoolBusyError";
  /** Seconds after which a retry is worthwhile. */
  readonly retryAfter = 1;

  constructor() {
    super("Too many salt searches are running and waiting");
  }
}

/** The pool was closed before the search found a salt. */
export class PoolClosedError extends Error {
  override name = "PoolClosedError";

  constructor() {
    super("The pool of salt searches is closed");
  }
}

/** The workers of a search have crashed repeatedly. `cause` is the last one's error. */
export class WorkerCrashError extends Error {
  override name = "WorkerCrashError";

  constructor(cause: unknown) {
    super("The workers of a salt search have crashed", { cause });
  }
}
