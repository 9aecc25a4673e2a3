import type { Environment } from "../../../config/env.ts";
import type { PooledDatabase } from "../database/database.ts";
import { readIndexStateOften } from "../ponder/index-state.query.ts";
import { ponderShutdown } from "../ponder/internals.ts";
import { createLiveStatements } from "./live-statements.ts";
import { createRunner } from "./run-statement.ts";
import type { SqlService } from "./sql.ts";

const running = globalThis as { LAUNCHPAD_SQL?: () => void };

/**
 * What answers SQL of clients, under the configured settings; undefined where no role is set up for it. In development, Ponder runs
 * the API anew in the same process; what ran before ends then.
 *
 * @param db for looking whether something was written
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
    readVersion: async () => (await readIndexStateOften(db)).version,
  });
  running.LAUNCHPAD_SQL = () => {
    live.endAll();
    live.stop();
    void end();
  };

  // Each server that Ponder starts has another one.
  let watched: ReturnType<typeof ponderShutdown>;
  return {
    run,
    live: {
      ...live,
      async follow(...given) {
        const shutdown = ponderShutdown();
        // Ponder waits for open answers when it ends.
        if (shutdown !== watched) shutdown?.add(async () => live.endAll());
        watched = shutdown;
        return await live.follow(...given);
      },
    },
  };
}
