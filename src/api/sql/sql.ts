import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Context } from "hono";
import { createRequestSemaphore, hangUpSignal } from "../concurrency/read-lanes.ts";
import { acceptedType, toCsvField } from "../http/accepted-type.ts";
import { createRouter } from "../http/router.ts";
import { typedResponse } from "../http/shared-json.ts";
import type { Statement } from "./check/check-statement.ts";
import { sqlLimits } from "./limits.ts";
import type { Rows, RunStatement } from "./run-statement.ts";
import { removedPaths, type SqlAnswer, sqlRoute } from "./sql.routes.ts";
import { invalidSql, removedRoute, sqlUnavailable, tooLarge } from "./sql-problem.ts";
import { typeName } from "./values.ts";

export type SqlDeps = {
  /** Undefined if the database has no role for it. */
  run: RunStatement | undefined;
  /** The number of proxies in front of us whose X-Forwarded-For is trusted. */
  trustedHops: number;
};

const forms = ["application/json", "text/csv", "application/x-ndjson"] as const;

export function createSql({ run, trustedHops }: SqlDeps) {
  const { running: concurrency, waiting: maxWaiting } = sqlLimits;
  const semaphoreFor = createRequestSemaphore({ concurrency, maxWaiting, trustedHops });

  async function answer(c: Context, statement: Statement): Promise<Rows> {
    if (run === undefined) throw sqlUnavailable();
    // The statement is cancelled when its client hangs up.
    const hangUp = hangUpSignal(c);
    const answered = Promise.withResolvers<Rows>();
    semaphoreFor(c)(async () => {
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
    const body = await toText(form, { columns, rows, isCut });
    c.header("Cache-Control", "no-store");
    c.header("X-Truncated", String(isCut));
    const type = { "Content-Type": form === "text/csv" ? "text/csv; charset=utf-8" : form };
    if (form === "application/json") return typedResponse<SqlAnswer>(c.body(body, 200, type));
    return c.body(body, 200, type);
  });
  for (const path of removedPaths) {
    router.all(path, () => {
      throw removedRoute();
    });
  }
  return router;
}

/** Writes an answer in a form. Throws a problem if that is too large, or if two columns of NDJSON have the same name. */
async function toText(form: (typeof forms)[number], { columns, rows, isCut }: Rows): Promise<string> {
  const names = columns.map(({ name }) => name);
  const toJson = (value: unknown) => JSON.stringify(value);
  if (form === "text/csv") return await toLines([names, ...rows], { toText: toCsvField, end: "\r\n" });
  if (form === "application/json") {
    const head = toJson(columns.map(({ name, typeId }) => ({ name, type: typeName(typeId) })));
    const lines = await toLines(rows, { toText: toJson, begin: "[", end: "]", between: "," });
    return `{"columns":${head},"rows":[${lines}],"truncated":${isCut}}`;
  }
  const twice = names.find((name, index) => names.indexOf(name) < index);
  // An object would keep one of them.
  if (twice !== undefined)
    throw invalidSql(`Two columns are called ${twice}: give them other names with as.`);
  const keys = names.map((name) => `${toJson(name)}:`);
  const toField = (value: unknown, column: number) => keys[column] + toJson(value);
  return await toLines(rows, { toText: toField, begin: "{", end: "}\n" });
}

/** How a row is written: `toText` makes the text of each value. */
type RowForm = {
  toText: (value: unknown, column: number) => string;
  begin?: string;
  end: string;
  between?: string;
};

/** Bytes that are written before other requests get their turn. */
const bytesPerTurn = 256 * 1_024;

/** Names, quotes and escapes may make rows many times as long as what Postgres has sent. */
async function toLines(
  rows: unknown[][],
  { toText, begin = "", end, between = "" }: RowForm,
): Promise<string> {
  const lines: string[] = [];
  let bytes = 0;
  let turns = 1;
  for (const row of rows) {
    const texts = row.map((value, column) => {
      const text = toText(value, column);
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > sqlLimits.bytes) throw tooLarge(sqlLimits.bytes);
      return text;
    });
    lines.push(begin + texts.join() + end);
    if (bytes < turns * bytesPerTurn) continue;
    turns = 1 + Math.floor(bytes / bytesPerTurn);
    await yieldToEventLoop();
  }
  return lines.join(between);
}
