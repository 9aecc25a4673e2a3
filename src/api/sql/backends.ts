import type pg from "pg";
import { pause } from "../../../config/async.ts";
import { metricText } from "../http/metric-text.ts";
import { sqlLimits } from "./limits.ts";

/** The Postgres process of a session. */
export type Backend = {
  pid: number;
  /** When it started, which distinguishes it from a later process with the same id. */
  startedAt: string;
  /** How many statements of clients run for longer than they may, in all processes of this database's service. */
  runaways: number;
};

/** Seconds beyond its limit after which a statement counts as one that can't be stopped. */
const graceSeconds = 4;

/** A query for statements of clients that run for longer than they may. */
const countRunaways = `select count(*)::int from pg_stat_activity where usename = current_user
  and datname = current_database() and application_name = current_setting('application_name') and state = 'active'
  and query_start < clock_timestamp() - interval '${sqlLimits.seconds + graceSeconds} s'`;

/** Selects this session's {@link Backend}. */
export const selectBackend = `select pid, backend_start::text as "startedAt", (${countRunaways}) as runaways
  from pg_stat_activity where pid = pg_backend_pid()`;

/**
 * Watches the Postgres processes of sessions that were cut. Normally they end at once, but some of Postgres's own code doesn't look
 * whether it was cancelled.
 *
 * @param pool connects as the role of these sessions, and with their application name
 */
export function createBackendWatch(pool: pg.Pool) {
  let runaways = 0;

  async function isRunning({ pid, startedAt }: Backend): Promise<boolean> {
    const { rowCount } = await pool.query(
      "select from pg_stat_activity where pid = $1 and backend_start = $2::timestamptz and state <> 'idle'",
      [pid, startedAt],
    );
    return rowCount !== 0;
  }

  return {
    /** Resolves once the process does nothing any more, or is gone. Logs it if that takes long. */
    async untilEnded(backend: Backend): Promise<void> {
      const cutAt = performance.now();
      const seconds = () => Math.round((performance.now() - cutAt) / 1_000);
      let isRunaway = false;
      // A server that can't be asked is about to end its processes, or unreachable for statements too.
      for (
        let waitMs = 20;
        await isRunning(backend).catch(() => true);
        waitMs = Math.min(2 * waitMs, 1_000)
      ) {
        if (!isRunaway && seconds() >= graceSeconds) {
          isRunaway = true;
          runaways++;
          console.error(
            `SQL: process ${backend.pid} of Postgres goes on with a statement that was cancelled, and no timeout ends it. /sql answers 503 until it has ended`,
          );
        }
        await pause(waitMs);
      }
      if (isRunaway)
        console.error(
          `SQL: process ${backend.pid} of Postgres has ended, ${seconds()} s after it was cancelled`,
        );
    },
    /** Reads the metrics, in the text format of Prometheus. */
    async readMetrics(): Promise<string> {
      const { rows } = await pool.query<{ count: number }>(countRunaways).catch(() => ({ rows: [] }));
      return metricText([
        {
          name: "launchpad_sql_runaways",
          type: "gauge",
          help: "Statements of clients that run for longer than they may and can't be stopped",
          samples: [{ value: rows[0]?.count ?? null }],
        },
        {
          name: "launchpad_sql_runaways_total",
          type: "counter",
          help: "Statements of clients that could not be stopped in time",
          samples: [{ value: runaways }],
        },
      ]);
    },
  };
}
