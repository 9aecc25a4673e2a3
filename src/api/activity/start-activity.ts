import { createPool } from "../database/database.ts";
import { isTransientDatabaseError } from "../database/transient-error.ts";
import { measureActivity } from "./measure-activity.ts";

export type ActivityOptions = {
  databaseUrl: string | undefined;
  databaseSchema: string;
  everyMs?: number;
};

const running = globalThis as { LAUNCHPAD_ACTIVITY?: () => void };

/**
 * Keeps the activity of tokens up to date, whether blocks have trades or not: one process at a time does it. In development,
 * Ponder runs the API anew in the same process; what ran before ends then.
 */
export function startActivity({ databaseUrl, databaseSchema, everyMs = 5_000 }: ActivityOptions): void {
  running.LAUNCHPAD_ACTIVITY?.();
  const pool = createPool({
    url: databaseUrl,
    name: `${databaseSchema}_activity`,
    connections: 1,
    statementSeconds: 30,
  });
  let isMeasuring = false;
  const measure = async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    await measureActivity(pool).catch(report);
    isMeasuring = false;
  };
  const timer = setInterval(measure, everyMs);
  timer.unref();
  running.LAUNCHPAD_ACTIVITY = () => {
    clearInterval(timer);
    void pool.end();
  };
}

/** What is worth a line in the log: not that the database is away, nor that nothing has been indexed into it yet. */
function report(error: unknown): void {
  const { code } = error as { code?: unknown };
  const hasNoTables = code === "42P01" || code === "3F000";
  if (!hasNoTables && !isTransientDatabaseError(error)) console.error("activity:", error);
}
