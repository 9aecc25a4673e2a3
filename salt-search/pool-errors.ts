/** So many searches run and wait already that one more would have to wait too long. */
export class PoolBusyError extends Error {
  override name = "PoolBusyError";
  /** Seconds after which it is worth trying again. */
  readonly retryAfter = 1;

  constructor() {
    super("Too many salt searches are running and waiting");
  }
}

/** The pool was closed before the search had found anything. */
export class PoolClosedError extends Error {
  override name = "PoolClosedError";

  constructor() {
    super("The pool of salt searches is closed");
  }
}

/** The workers that were at a search have crashed, time and again. `cause` is what the last one said. */
export class WorkerCrashError extends Error {
  override name = "WorkerCrashError";

  constructor(cause: unknown) {
    super("The workers of a salt search have crashed", { cause });
  }
}
