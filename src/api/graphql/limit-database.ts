import { AsyncLocalStorage } from "node:async_hooks";
import { GraphQLError } from "graphql";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";
import { isTransientDatabaseError } from "../database/transient-error.ts";
import { limitGraphqlPool } from "../ponder/graphql-pool.ts";
import { ponderDatabase } from "../ponder/internals.ts";
import { type IsNullable, readAtCursor } from "./cursor-pages.ts";
import { graphqlLimits } from "./limits.ts";
import type { GraphqlCode } from "./refusal.ts";

/** What one GraphQL query may take. */
export type RunLimits = {
  /** Aborted when its client has gone or its time is over. */
  signal: AbortSignal;
  /** How often one row may be shown. */
  repeats: number;
  /** About how many bytes its values may have. */
  bytes: number;
};

type Run = RunLimits & { bytesRead: number; largestRow: number };

const runs = new AsyncLocalStorage<Run>();

/** Runs a GraphQL query: what it asks of Ponder's database counts together. */
export function runQuery<Answer>(limits: RunLimits, execute: () => Answer): Answer {
  return runs.run({ ...limits, bytesRead: 0, largestRow: 0 }, execute);
}

type Statement = { text: string };
type Rows = { rows: object[] };
type Pool = {
  query: (statement: Statement, values?: unknown[]) => Promise<Rows>;
};

/** The part of Ponder's database that its GraphQL reads with. */
export type PonderDatabase = {
  driver: { readonly: Pool };
  readonlyQB: { raw: unknown; wrap: (...given: unknown[]) => unknown };
};

/** The part of drizzle's database that Ponder makes its lists with. */
type Selecting = { select: (...columns: unknown[]) => { from: (...tables: unknown[]) => Select } };
type Select = { execute: (...values: unknown[]) => Promise<unknown> };

/**
 * Has Ponder's GraphQL read as the role that can only read, within our limits on connections, statements and answers. It comes
 * before Ponder's first connection.
 *
 * @param url of the database, for that role
 */
export function limitGraphqlReads(url: string | undefined, isNullable: IsNullable): void {
  const database = ponderDatabase();
  if (database === undefined) return;
  limitGraphqlPool(url, graphqlLimits.statementSeconds);
  limitPonderDatabase(database, isNullable);
}

/** Bounds what each query of anyone takes of Ponder's read-only connections. Ponder has settings for none of this. */
export function limitPonderDatabase(
  { driver: { readonly: pool }, readonlyQB }: PonderDatabase,
  isNullable: IsNullable,
): void {
  const query = pool.query.bind(pool);
  pool.query = async (statement, values) => {
    const run = runs.getStore();
    if (run === undefined) return await query(statement, values);
    if (run.signal.aborted) throw failed("query_timeout");
    const result = await readAtCursor({ text: statement.text, values: values ?? [] }, isNullable, (page) =>
      query({ ...statement, text: page.text }, page.values),
    ).catch((error) => {
      throw failed(codeOf(error), error);
    });
    countBytes(run, result.rows);
    if (run.bytesRead + run.repeats * run.largestRow > run.bytes) throw failed("answer_too_large");
    return result;
  };

  spreadSelects(readonlyQB.raw as Selecting);

  // Ponder repeats a count that failed up to nine times, for more than a minute.
  const wrap = readonlyQB.wrap.bind(readonlyQB);
  readonlyQB.wrap = (...given) => {
    const ask = given.find((one) => typeof one === "function");
    return runs.getStore() === undefined || ask === undefined ? wrap(...given) : ask(readonlyQB.raw);
  };
}

/** Has one statement be written in a turn of the event loop: a page of rows that have lists of their own asks for hundreds at once. */
function spreadSelects(database: Selecting): void {
  const nextTick = spreadOverTicks();
  const select = database.select.bind(database);
  database.select = (...columns) => {
    const builder = select(...columns);
    const from = builder.from.bind(builder);
    builder.from = (...tables) => {
      const statement = from(...tables);
      const { execute } = statement;
      statement.execute = async (...values) => {
        await nextTick();
        return await execute(...values);
      };
      return statement;
    };
    return builder;
  };
}

const messages: Partial<Record<GraphqlCode, string>> = {
  answer_too_large: "The answer is too large: ask for fewer rows or columns, or in several queries.",
  database_unavailable: "The database does not answer: try again in a few seconds.",
  invalid_argument: "A value in the query does not fit its column: see what the filter's type takes.",
  query_timeout:
    'The query took too long: ask for fewer rows with "limit", in an order and by conditions that are indexed.',
  internal_error: "Something went wrong on our side. Try again; the log has the cause.",
};

/** GraphQL shows the messages of its own errors alone. */
function failed(code: GraphqlCode, cause?: unknown): GraphQLError {
  if (code === "internal_error") console.error(cause);
  return new GraphQLError(messages[code] ?? code, { extensions: { code } });
}

function codeOf(error: unknown): GraphqlCode {
  const { code } = error as { code?: unknown };
  // Postgres cancelled the statement, or waited too long for a lock.
  if (code === "57014" || code === "55P03") return "query_timeout";
  if (isTransientDatabaseError(error)) return "database_unavailable";
  // Data exceptions.
  return typeof code === "string" && code.startsWith("22") ? "invalid_argument" : "internal_error";
}

/** Counts about as many bytes as the values have in JSON. */
function countBytes(run: Run, rows: object[]): void {
  for (const row of rows) {
    let bytes = 0;
    for (const value of Object.values(row)) bytes += typeof value === "string" ? value.length : 8;
    run.bytesRead += bytes;
    run.largestRow = Math.max(run.largestRow, bytes);
  }
}
