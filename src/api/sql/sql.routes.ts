import { createRoute, z } from "@hono/zod-openapi";
import { jsonBody } from "../http/json-body.ts";
import { problems } from "../http/problem.schema.ts";
import { sqlLimits } from "./limits.ts";

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

const body = z
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

const answer = z
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
export type SqlAnswer = z.input<typeof answer>;

const refusals = {
  400: `The statement is wrong, is not a single query, calls or casts to something that is not available here, or could take too long for one row (invalid_sql, with a message, and sqlState and position if known); or its result has more than ${sqlLimits.bytes / 1_000_000} MB, or more than ${sqlLimits.listValues.toLocaleString("en")} values in lists (answer_too_large).`,
  503: "The database is unavailable, has no role for this, or is still running a statement that can't be stopped (sql_unavailable).",
  504: `It took longer than ${sqlLimits.seconds} s (query_timeout).`,
};

export const sqlRoute = createRoute({
  method: "post",
  path: "/sql",
  operationId: "runSql",
  tags: ["SQL"],
  summary: "Run one SQL query over everything that is indexed and registered.",
  description: `In a read-only transaction of a role that can read the on-chain tables, the views over them and what the API shows of registrations, and nothing else. At most ${sqlLimits.seconds} s, ${sqlLimits.rows.toLocaleString("en")} rows and ${sqlLimits.bytes / 1_000_000} MB. Rows of the last blocks, which a reorg may take back, are included; \`chains.final_block\` says where they begin. A query is cancelled when its client hangs up.`,
  middleware: [jsonBody({ maxBytes: 64 * 1_024 })] as const,
  request: { body: { required: true, content: { "application/json": { schema: body } } } },
  responses: {
    200: {
      description: `The rows. \`Accept\` chooses the form: JSON by default, CSV with a header line, or one JSON object per line with a field for each column (NDJSON). In the latter two, null is an empty field and null, and the header \`X-Truncated\` says whether there are more rows.`,
      headers: z.object({
        "X-Truncated": z
          .enum(["true", "false"])
          .openapi({ description: "Whether there are more rows than the answer has." }),
      }),
      content: {
        "application/json": { schema: answer },
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
export const removedPaths = ["/sql/db", "/sql/live"] as const;
