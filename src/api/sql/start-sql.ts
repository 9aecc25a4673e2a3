import type { Environment } from "../../../config/env.ts";
import type { PooledDatabase } from "../database/database.ts";
import { readIndexStatePrepared } from "../ponder/index-state.query.ts";
import { ponderShutdown } from "../ponder/internals.ts";
import { createLiveStatements } from "./live-statements.ts";
import { createRunner } from "./run-statement.ts";
import type { SqlService } from "./sql.ts";

const running = globalThis as { LAUNCHPAD_SQL?: () => void };

/**
 * Starts the service that runs clients' SQL, as configured; returns undefined if no role is set up for it. In development,
 * Ponder reloads the API in the same process: then this ends the earlier service.
 *
 * @param db used to check whether something was written
 */
export function startSql(
  { isSqlOn, databaseSqlUrl, databaseSchema }: Environment,
  db: PooledDatabase,
): SqlService {
  running.LAUNCHPAD_SQL?.();
  if (!isSqlOn || databaseSqlUrl === undefined) return undefined;
  const { run, end } = createRunner({ url: databaseSqlUrl, schema: databaseSchema });
  const live = createLiveStatements({
    run,
    readVersion: async () => (await readIndexStatePrepared(db)).version,
  });
  running.LAUNCHPAD_SQL = () => {
    live.endAll();
    live.stop();
    void end();
  };

  // Each server that Ponder starts has its own.
  let registered: ReturnType<typeof ponderShutdown>;
  return {
    run,
    live: {
      ...live,
      async subscribe(...given) {
        const shutdown = ponderShutdown();
        // Ponder waits for open responses when it shuts down.
        if (shutdown !== registered) shutdown?.add(async () => live.endAll());
        registered = shutdown;
        return await live.subscribe(...given);
      },
    },
  };
}
