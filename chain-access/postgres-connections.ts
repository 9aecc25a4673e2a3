import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "../config/error-code.ts";
import { createThrottledLog } from "../config/log.ts";

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
export function waitForConnections(log: (line: string) => void): void {
  const prototype = pg.Pool.prototype as unknown as Pool;
  const { connect } = prototype;
  const logThrottled = createThrottledLog(log, logPauseMs);

  /** Returns what decides, for one request, whether an error is worth another attempt. */
  function createPatience({ options }: Pool): (error: Error | undefined) => boolean {
    const deadline = performance.now() + (options.connectionTimeoutMillis || Number.POSITIVE_INFINITY);
    return (error) => {
      if (codeOf(error) !== tooManyConnections) return false;
      logThrottled(
        "Postgres has no connection left",
        `(${error?.message}): waiting for one. Raise max_connections or the role's limit, or run fewer processes`,
      );
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

type RunningQuery = { text?: string };

/** Members of a client that are not part of its documented interface. */
type QueryInternals = {
  processID: number | null;
  /** Nothing if it has never run one, or runs none now. */
  _getActiveQuery(): RunningQuery | null | undefined;
  _connect(...args: unknown[]): void;
};

/** How long a statement runs before it is reported, and how often is looked, in milliseconds. */
const defaultLook = { afterMs: 60_000, everyMs: 10_000 };

/** Statements that may take long, and are safe to wait for: whoever ends the creation of an index only repeats it. */
const mayTakeLong = /\b(create (unique )?index|reindex|cluster|vacuum|pg_advisory_(xact_)?lock)\b/i;

/**
 * Logs each statement of this thread that has had no answer for a minute, once: if one process of Postgres hangs, what waits for it
 * stands still, and nothing fails that could say so. Leaves out those that wait or work long by their nature.
 */
export function reportUnanswered(
  log: (line: string) => void,
  { afterMs, everyMs }: typeof defaultLook = defaultLook,
): void {
  const clients = new Set<pg.Client & QueryInternals>();
  const looks = new WeakMap<RunningQuery, { since: number; isReported: boolean }>();
  const prototype = pg.Client.prototype as unknown as QueryInternals;
  const connect = prototype._connect;
  prototype._connect = function (this: pg.Client & QueryInternals, ...args) {
    clients.add(this);
    this.once("end", () => clients.delete(this));
    connect.apply(this, args);
  };

  function look(): void {
    const now = performance.now();
    for (const client of clients) {
      const query = client._getActiveQuery();
      if (!query || mayTakeLong.test(query.text ?? "")) continue;
      const seen = looks.get(query) ?? { since: now, isReported: false };
      looks.set(query, seen);
      if (seen.isReported || now - seen.since < afterMs) continue;
      seen.isReported = true;
      const excerpt = (query.text ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 80);
      log(
        `Postgres has not answered a statement for ${Math.round((now - seen.since) / 1_000)} s (its process ${client.processID}: ${excerpt}). There is nothing to do while that process takes processor time, or pg_stat_activity shows that it waits for a lock, IO or the client; otherwise it hangs: end it with select pg_terminate_backend(${client.processID}), or restart Postgres`,
      );
    }
  }
  setInterval(look, everyMs).unref();
}
