import type { Context } from "hono";
import { createRequestSemaphore, hangUpSignal } from "../concurrency/share-fairly.ts";
import { createRouter } from "../http/router.ts";
import type { Statement } from "./check/check-statement.ts";
import { typeName } from "./decode.ts";
import { sqlLimits } from "./limits.ts";
import type { Rows, RunStatement } from "./run-statement.ts";
import { removedPaths, sqlRoute } from "./sql.routes.ts";
import { removedRoute, sqlUnavailable } from "./sql-problem.ts";

export type SqlDeps = {
  /** Undefined if the database has no role for it. */
  run: RunStatement | undefined;
  /** The number of proxies in front of us whose X-Forwarded-For is trusted. */
  trustedHops: number;
};

export function createSql({ run, trustedHops }: SqlDeps) {
  const { running: concurrency, waiting: maxWaiting } = sqlLimits;
  const withTurn = createRequestSemaphore({ concurrency, maxWaiting, trustedHops });

  async function answer(c: Context, statement: Statement): Promise<Rows> {
    if (run === undefined) throw sqlUnavailable();
    // The statement is cancelled when its client hangs up.
    const hangUp = hangUpSignal(c);
    const answered = Promise.withResolvers<Rows>();
    withTurn(c)(async () => {
      const { rows, ended } = run(statement, hangUp);
      rows.then(answered.resolve, answered.reject);
      // Postgres may go on with a statement that was cancelled: then the next one waits.
      await ended;
    }).catch(answered.reject);
    return await answered.promise;
  }

  const router = createRouter().openapi(sqlRoute, async (c) => {
    const { sql: text, params: values } = c.req.valid("json");
    const { columns, rows, isCut } = await answer(c, { text, values });
    c.header("Cache-Control", "no-store");
    return c.json(
      {
        columns: columns.map(({ name, typeId }) => ({ name, type: typeName(typeId) })),
        rows,
        truncated: isCut,
      },
      200,
    );
  });
  for (const path of removedPaths) {
    router.all(path, () => {
      throw removedRoute();
    });
  }
  return router;
}
