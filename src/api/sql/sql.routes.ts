import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createRequestSemaphore, hangUpSignal } from "../concurrency/read-lanes.ts";
import { acceptedType, toCsvField } from "../http/accepted-type.ts";
import { jsonBody } from "../http/json-body.ts";
import { problems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { typedResponse } from "../http/shared-json.ts";
import { castTypes, functionRules, operatorRules } from "./check/allowed.ts";
import type { Statement } from "./check/check-statement.ts";
import { sqlLimits } from "./limits.ts";
import type { Rows, RunStatement } from "./run-statement.ts";
import { invalidSql, removedRoute, sqlUnavailable, tooLarge } from "./sql-problem.ts";
import { typeName } from "./values.ts";

const valueMessage =
  "must be a text, a boolean, null, or a number up to 9007199254740991: give a larger one as text, and a list as one such as {1,2}";
const value = z.union(
  [
    z.string(),
    // JSON has rounded larger ones already.
    z.number().refine((number) => Math.abs(number) <= Number.MAX_SAFE_INTEGER, valueMessage),
    z.boolean(),
    z.null(),
  ],
  valueMessage,
);

const sqlQuery = z
  .strictObject({
    sql: z
      .string("must be a statement, as text")
      .min(1, "is missing: it must be a statement")
      .max(sqlLimits.characters)
      .openapi({
        description: `One SELECT (or WITH, VALUES, TABLE), or EXPLAIN and one, in PostgreSQL's SQL, of at most ${sqlLimits.characters} characters. Views in readable units are in the schema launchpad, which is searched first, followed by GraphQL's tables under their SQL names.`,
        example:
          "select time, side, bnb_amount from trades where chain_id = 56 order by timestamp desc limit 2",
      }),
    params: z.array(value).max(sqlLimits.params).default([]).openapi({
      description:
        "Values of $1, $2 and so on. Numbers above 2^53 and with more than 15 digits are text, since JSON rounds them, and so are lists, as in `{1,2}`.",
      example: [],
    }),
  })
  .openapi("SqlQuery");

const sqlAnswer = z
  .object({
    columns: z
      .array(
        z.object({
          name: z.string(),
          type: z.string().openapi({
            description:
              "Postgres's name of the type (int8, numeric, timestamptz, text, text[]); other for enums.",
          }),
        }),
      )
      .openapi({ example: [{ name: "bnb_amount", type: "numeric" }] }),
    rows: z.array(z.array(z.unknown())).openapi({
      description:
        "A list of values for each row, in the order of columns. int8 and numeric are strings, which keep every digit; times are ISO 8601 in UTC; arrays are lists. Numbers in JSON are as Postgres writes them: cast those above 2^53 to text if your parser rounds them.",
      example: [["0.010000000000000000"]],
    }),
    truncated: z.boolean().openapi({
      description: `Whether there are more rows than the ${sqlLimits.rows.toLocaleString("en")} that a response has at most.`,
    }),
  })
  .openapi("SqlAnswer");
type SqlAnswer = z.input<typeof sqlAnswer>;

const refusals = {
  400: `The statement is wrong, is not a single query, calls or casts to something that is not available here, or could take too long for one row (invalid_sql, with a message, and sqlState and position if known); or its result has more than ${sqlLimits.bytes / 1_000_000} MB, or more than ${sqlLimits.listValues.toLocaleString("en")} values in lists (answer_too_large).`,
  503: "The database is unavailable, has no role for this, or is still running a statement that can't be stopped (sql_unavailable).",
  504: `It took longer than ${sqlLimits.seconds} s (query_timeout).`,
};

const functions = [...functionRules.keys()].map((name) => (name === "seconds" ? "launchpad.seconds" : name));
// Those of `like` and `ilike` have words.
const operators = [...operatorRules.keys()].filter((name) => !name.includes("~"));
/** What a statement may call. `docs/analysts.md` lists it by kind. */
const allowed = [
  `Operators: \`${operators.join(" ")}\`, \`like\`, \`ilike\`, \`between\`, \`in\`, \`is distinct from\`, \`any\`, \`all\`.`,
  "Expressions: `case`, `coalesce`, `nullif`, `greatest`, `least`.",
  `Functions: \`${functions.join(" ")}\`.`,
  `Casts to \`${[...castTypes.keys()].join(" ")}\`, and lists of them.`,
].join(" ");

const sqlRoute = createRoute({
  method: "post",
  path: "/sql",
  operationId: "runSql",
  tags: ["SQL"],
  summary: "Run one SQL query over everything that is indexed and registered.",
  description: `In a read-only transaction of a role that can read the on-chain tables, the views over them and what the API shows of registrations, and nothing else. At most ${sqlLimits.seconds} s, ${sqlLimits.rows.toLocaleString("en")} rows and ${sqlLimits.bytes / 1_000_000} MB. Rows of the last blocks, which a reorg may take back, are included; \`chains.final_block\` says where they begin. A query is cancelled when its client hangs up. ${allowed}`,
  middleware: [jsonBody({ maxBytes: 64 * 1_024 })] as const,
  request: { body: { required: true, content: { "application/json": { schema: sqlQuery } } } },
  responses: {
    200: {
      description: `The rows. \`Accept\` chooses the form: JSON by default, CSV with a header line, or one JSON object per line with a field for each column (NDJSON). In the latter two, null is an empty field and null, and the header \`X-Truncated\` says whether there are more rows.`,
      headers: z.object({
        "X-Truncated": z
          .enum(["true", "false"])
          .openapi({ description: "Whether there are more rows than the answer has." }),
      }),
      content: {
        "application/json": { schema: sqlAnswer },
        "text/csv": { schema: z.string() },
        "application/x-ndjson": { schema: z.string() },
      },
    },
    ...problems({
      ...refusals,
      408: "The body arrived too slowly.",
      413: "The body has more than 64 kB.",
      415: "The body is not JSON.",
    }),
  },
});

/** Routes that earlier versions had. Not in the OpenAPI document. */
const removedPaths = ["/sql/db", "/sql/live"] as const;

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
