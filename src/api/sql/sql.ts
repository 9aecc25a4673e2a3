import type { Context } from "hono";
import { createRequestSemaphore, hangUpSignal } from "../concurrency/share-fairly.ts";
import { acceptedType } from "../http/accepted-type.ts";
import { toCsv } from "../http/csv.ts";
import { createRouter } from "../http/router.ts";
import type { Statement } from "./check/check-statement.ts";
import { typeName } from "./decode.ts";
import { sqlLimits } from "./limits.ts";
import type { Rows, RunStatement } from "./run-statement.ts";
import { removedPaths, sqlRoute } from "./sql.routes.ts";
import { invalidSql, removedRoute, sqlUnavailable } from "./sql-problem.ts";

export type SqlDeps = {
  /** Undefined if the database has no role for it. */
  run: RunStatement | undefined;
  /** The number of proxies in front of us whose X-Forwarded-For is trusted. */
  trustedHops: number;
};

const forms = ["application/json", "text/csv", "application/x-ndjson"] as const;

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
    const form = acceptedType(c, forms, "application/json");
    const { columns, rows, isCut } = await answer(c, { text, values });
    c.header("Cache-Control", "no-store");
    c.header("X-Truncated", String(isCut));
    const names = columns.map(({ name }) => name);
    if (form === "text/csv")
      return c.body(toCsv(names, rows), 200, { "Content-Type": "text/csv; charset=utf-8" });
    if (form === "application/x-ndjson") return c.body(toLines(names, rows), 200, { "Content-Type": form });
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

/** One JSON object per row. Throws a problem if two columns have the same name, of which an object would keep one. */
function toLines(names: string[], rows: unknown[][]): string {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw invalidSql(`Two columns are called ${twice}: give them other names with as.`);
  return rows
    .map((row) => `${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]])))}\n`)
    .join("");
}
