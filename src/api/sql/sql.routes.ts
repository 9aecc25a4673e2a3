import { createRoute, z } from "@hono/zod-openapi";
import { jsonBody } from "../http/json-body.ts";
import { problems } from "../http/problem.schema.ts";
import { sqlLimits } from "./limits.ts";

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const body = z.strictObject({
  sql: z
    .string()
    .min(1)
    .max(sqlLimits.characters)
    .openapi({
      description: `One SELECT (or WITH, VALUES, TABLE) in PostgreSQL's SQL, of at most ${sqlLimits.characters} characters. Views in readable units are in the schema launchpad, which is searched first, followed by GraphQL's tables under their SQL names.`,
      example:
        "select time, side, bnb_amount from trades where chain_id = 56 order by timestamp desc limit 2",
    }),
  params: z
    .array(value)
    .max(sqlLimits.params)
    .default([])
    .openapi({ description: "Values of $1, $2 and so on.", example: [] }),
});

const answer = z
  .object({
    columns: z
      .array(
        z.object({
          name: z.string(),
          type: z.string().openapi({
            description:
              "Postgres's name of the type (int8, numeric, timestamptz, text); other for enums and arrays.",
          }),
        }),
      )
      .openapi({ example: [{ name: "bnb_amount", type: "numeric" }] }),
    rows: z.array(z.array(z.unknown())).openapi({
      description:
        "A list of values for each row, in the order of columns. int8 and numeric are strings, which keep every digit; times are ISO 8601 in UTC.",
      example: [["0.010000000000000000"]],
    }),
    truncated: z.boolean().openapi({
      description: `Whether there are more rows than the ${sqlLimits.rows.toLocaleString("en")} that a response has at most.`,
    }),
  })
  .openapi("SqlAnswer");

const refusals = {
  400: `The statement is wrong, is not a query, is more than one, or uses a forbidden name (invalid_sql, with Postgres's message, sqlState and position if known); or its result has more than ${sqlLimits.bytes / 1_000_000} MB (answer_too_large).`,
  503: "The database is unavailable, or has no role for this (sql_unavailable).",
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
    200: { description: "The rows.", content: { "application/json": { schema: answer } } },
    ...problems({
      ...refusals,
      408: "The body arrived too slowly.",
      413: "The body has more than 64 kB.",
      415: "The body is not JSON.",
    }),
  },
});

const query = z.object({
  sql: z.string().min(1).max(60_000).openapi({
    description: "The query and its parameters, as @ponder/client sends them: superjson of sql and params.",
    example: '{"json":{"sql":"select 1 as one","params":[]}}',
  }),
});

export const ponderDbRoute = createRoute({
  method: "get",
  path: "/sql/db",
  operationId: "runSqlOfPonderClient",
  tags: ["SQL"],
  summary: "Run one query from @ponder/client.",
  description:
    "For createClient(`<this service>/sql`) of @ponder/client, under the same limits. A result with too many rows is an error here.",
  request: { query },
  responses: {
    200: {
      description: "The rows as objects, as @ponder/client expects them.",
      content: { "application/json": { schema: z.object({ rows: z.array(z.unknown()) }) } },
    },
    ...problems(refusals),
  },
});

export const ponderLiveRoute = createRoute({
  method: "get",
  path: "/sql/live",
  operationId: "followSqlOfPonderClient",
  tags: ["SQL"],
  summary: "Follow one query from @ponder/client: its rows now, and again whenever they change.",
  description:
    "For client.live() of @ponder/client. Server-sent events, each with the rows as `data`, in the form of GET /sql/db. The query runs again after each block and registration, and must take at most 3 s, 1,000 rows and 1 MB.",
  request: { query },
  responses: {
    200: {
      description: "Events until one side ends the connection.",
      content: {
        "text/event-stream": { schema: z.string().openapi({ example: 'data: {"rows":[{"one":1}]}\n\n' }) },
      },
    },
    ...problems({
      ...refusals,
      429: "Too many requests, or too many live queries from your address (too_many_streams).",
    }),
  },
});
