import type { Context } from "hono";
import { createRequestSemaphore, hangUpSignal } from "../concurrency/share-fairly.ts";
import { createRouter } from "../http/router.ts";
import type { Statement } from "./check-statement.ts";
import { typeName } from "./decode.ts";
import { sqlLimits } from "./limits.ts";
import type { LiveStatements } from "./live-statements.ts";
import { openLive } from "./open-live.ts";
import { parsePonderQuery, toPonderResult } from "./ponder-query.ts";
import type { Rows, RunStatement } from "./run-statement.ts";
import { ponderDbRoute, ponderLiveRoute, sqlRoute } from "./sql.routes.ts";
import { sqlUnavailable, tooManyRows } from "./sql-problem.ts";

/** Undefined if the database has no role for it. */
export type SqlService = { run: RunStatement; live: LiveStatements } | undefined;

export type SqlDeps = {
  sql: SqlService;
  /** The number of proxies in front of us whose X-Forwarded-For is trusted. */
  trustedHops: number;
};

export function createSql({ sql, trustedHops }: SqlDeps) {
  const { running: concurrency, waiting: maxWaiting } = sqlLimits;
  const withTurn = createRequestSemaphore({ concurrency, maxWaiting, trustedHops });

  async function answer(c: Context, statement: Statement): Promise<Rows> {
    if (sql === undefined) throw sqlUnavailable();
    const { run } = sql;
    // The statement is cancelled when its client hangs up.
    const hangUp = hangUpSignal(c);
    return await withTurn(c)(() => run(statement, hangUp));
  }

  return createRouter()
    .openapi(sqlRoute, async (c) => {
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
    })
    .openapi(ponderDbRoute, async (c) => {
      const found = await answer(c, parsePonderQuery(c.req.valid("query").sql));
      if (found.isCut) throw tooManyRows(sqlLimits.rows);
      c.header("Cache-Control", "no-store");
      return c.json(toPonderResult(found), 200);
    })
    .openapi(ponderLiveRoute, async (c) => {
      if (sql === undefined) throw sqlUnavailable();
      return await openLive(c, {
        live: sql.live,
        statement: parsePonderQuery(c.req.valid("query").sql),
        trustedHops,
      });
    });
}
