import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "../config/error-code.ts";

type Done = (error: Error | undefined, ...rest: unknown[]) => void;
type Pool = {
  options: { connectionTimeoutMillis?: number };
  connect(done?: Done): Promise<unknown> | undefined;
};

/** SQLSTATE of a server, database or role whose connections are all in use. */
const tooManyConnections = "53300";
const retryMs = 250;
const logPauseMs = 60_000;

/**
 * Makes this thread's pools wait while Postgres has no connection left, as long as they would wait for one of their own. Otherwise each
 * query fails at once, and whoever passes the error on, such as the gate to Ponder, reports it as theirs.
 */
export function waitForConnections(log: (line: string, level?: "warn") => void): void {
  const prototype = pg.Pool.prototype as unknown as Pool;
  const { connect } = prototype;
  let lastLoggedAt = Number.NEGATIVE_INFINITY;

  /** Returns what decides, for one request, whether an error is worth another attempt. */
  function createPatience({ options }: Pool): (error: Error | undefined) => boolean {
    const deadline = performance.now() + (options.connectionTimeoutMillis || Number.POSITIVE_INFINITY);
    return (error) => {
      if (codeOf(error) !== tooManyConnections) return false;
      if (performance.now() - lastLoggedAt > logPauseMs) {
        lastLoggedAt = performance.now();
        log(
          `Postgres has no connection left (${error?.message}): waiting for one. Raise max_connections or the role's limit, or run fewer processes`,
        );
      }
      return performance.now() + retryMs < deadline;
    };
  }

  async function connectPatiently(pool: Pool): Promise<unknown> {
    const isWorthWaiting = createPatience(pool);
    for (;;) {
      try {
        return await connect.call(pool);
      } catch (error) {
        if (!isWorthWaiting(error as Error)) throw error;
        await delay(retryMs);
      }
    }
  }

  prototype.connect = function (this: Pool, done) {
    if (done === undefined) return connectPatiently(this);
    const isWorthWaiting = createPatience(this);
    const attempt = () =>
      connect.call(this, (error, ...rest) => {
        if (isWorthWaiting(error)) setTimeout(attempt, retryMs);
        else done(error, ...rest);
      });
    attempt();
    return undefined;
  };
}
