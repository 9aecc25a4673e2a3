import type { Context } from "hono";
import pg from "pg";
import { createRequestSemaphore, hangUpSignal } from "../concurrency/read-lanes.ts";
import { acceptedType, toCsv } from "../http/accepted-type.ts";
import { createRouter } from "../http/router.ts";
import type { Statement } from "./check/check-statement.ts";
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

const { builtins } = pg.types;

const asNumber = (text: string) => {
  const number = Number(text);
  // JSON has no infinities and no NaN.
  return Number.isFinite(number) ? number : text;
};

const asText = (text: string) => text;

/** JSON's own functions for numbers as they are written (ECMAScript 2026), which TypeScript doesn't declare yet. */
declare global {
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, at: { source?: string }) => unknown): unknown;
    rawJSON(text: string): object;
  }
}

/** Parses JSON whose numbers are serialized with all of their digits again: most of ours, such as wei, have more than 15. */
const asJson = (text: string) =>
  JSON.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && source !== String(value)
      ? JSON.rawJSON(source)
      : value,
  );

const decode = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === "t"],
  ...[builtins.INT2, builtins.INT4, builtins.OID, builtins.FLOAT4, builtins.FLOAT8].map(
    (type) => [type, asNumber] as const,
  ),
  // The session's time zone is UTC.
  [builtins.TIMESTAMPTZ, (text) => text.replace(" ", "T").replace(/\+00$/, "Z")],
  ...[builtins.JSON, builtins.JSONB].map((type) => [type, asJson] as const),
]);

/** The element's type, by the type of a list of them. pg-types names some of these lists, but not all. */
const elementTypes = new Map<number, number>([
  [1000, builtins.BOOL],
  [1005, builtins.INT2],
  [1007, builtins.INT4],
  [1009, builtins.TEXT],
  [1014, builtins.BPCHAR],
  [1015, builtins.VARCHAR],
  [1016, builtins.INT8],
  [1021, builtins.FLOAT4],
  [1022, builtins.FLOAT8],
  [1115, builtins.TIMESTAMP],
  [1182, builtins.DATE],
  [1185, builtins.TIMESTAMPTZ],
  [1187, builtins.INTERVAL],
  [1231, builtins.NUMERIC],
]);

/** Its declaration in pg-types is not what it is. */
const { arrayParser } = pg.types as unknown as {
  arrayParser: { create(text: string, decodeElement: (text: string) => unknown): { parse(): unknown[] } };
};

for (const [list, element] of elementTypes) {
  const decodeElement = decode.get(element) ?? asText;
  decode.set(list, (text) => arrayParser.create(text, decodeElement).parse());
}

/**
 * Decodes booleans, integers up to 32 bits, floats, JSON and lists to JSON values. All other types stay text: 64-bit integers and
 * decimals have more digits than most readers of JSON keep.
 */
export const decoders: pg.CustomTypesConfig = {
  getTypeParser: ((type: number) => decode.get(type) ?? asText) as pg.CustomTypesConfig["getTypeParser"],
};

const names = new Map(Object.entries(builtins).map(([name, type]) => [Number(type), name.toLowerCase()]));

/** Returns Postgres's name of a type, such as `int8` or, for a list of them, `int8[]`; `other`, for example for enums. */
function typeName(typeId: number): string {
  const element = elementTypes.get(typeId);
  return element === undefined ? (names.get(typeId) ?? "other") : `${names.get(element)}[]`;
}
