import { AsyncLocalStorage } from "node:async_hooks";
import { GraphQLError } from "graphql";
import { LRUCache } from "lru-cache";
import type pg from "pg";
import { codeOf, isTransientDatabaseError } from "../../../../config/error-code.ts";
import { retryRead } from "../../database/retry.ts";
import type { GraphqlCode } from "../refusal.ts";
import type { Row, Statement } from "./column-list.ts";

/** Limits of one GraphQL query. */
export type RunLimits = {
  /** Aborted when the client disconnects or the time is up. */
  signal: AbortSignal;
  /** How often one row may be repeated in the answer. */
  maxRepeats: number;
  /** About how many bytes the answer's values may have. */
  maxBytes: number;
};

type Run = RunLimits & { bytesRead: number; largestRow: number };

const runs = new AsyncLocalStorage<Run>();

/** Runs a GraphQL query, and applies the limits to everything that it reads. */
export function runQuery<Answer>(limits: RunLimits, execute: () => Answer): Answer {
  return runs.run({ ...limits, bytesRead: 0, largestRow: 0 }, execute);
}

/** Runs a statement within the limits of its query. Rows are as the driver returns them: large numbers are strings. */
export type ReadRows = (statement: Statement) => Promise<unknown[][]>;

/** @param pool called for each statement */
export function createReadRows(pool: () => pg.Pool | undefined): ReadRows {
  const nameOf = createStatementNames();
  return async ({ text, values }) => {
    const run = runs.getStore();
    if (run?.signal.aborted) throw createError("query_timeout");
    const name = nameOf(text);
    const statement: pg.QueryArrayConfig = { text, values, rowMode: "array", ...(name && { name }) };
    const rows = await query(pool(), statement);
    if (run === undefined) return rows;
    countBytes(run, rows);
    if (run.bytesRead + run.maxRepeats * run.largestRow > run.maxBytes) throw createError("answer_too_large");
    return rows;
  };
}

async function query(pool: pg.Pool | undefined, statement: pg.QueryArrayConfig): Promise<unknown[][]> {
  if (pool === undefined)
    throw new Error("Invariant: GraphQL needs the connection pool of Ponder, which serves it");
  try {
    return (await retryRead(pool, () => pool.query<unknown[]>(statement))).rows;
  } catch (error) {
    throw toGraphqlError(error);
  }
}

/** Estimates how many bytes the values have in JSON. */
function countBytes(run: Run, rows: unknown[][]): void {
  for (const row of rows) {
    let bytes = 0;
    for (const value of row) bytes += typeof value === "string" ? value.length : 8;
    run.bytesRead += bytes;
    run.largestRow = Math.max(run.largestRow, bytes);
  }
}

const messages: Partial<Record<GraphqlCode, string>> = {
  answer_too_large: "The answer is too large: ask for fewer rows or columns, or split the query.",
  database_unavailable: "The database does not answer: try again in a few seconds.",
  invalid_argument: "A value in the query does not fit its column: check the type of the filter.",
  query_timeout:
    'The query took too long: ask for fewer rows with "limit", and use conditions and an order that are indexed.',
  internal_error: "Something went wrong on our side. Try again; the log has the cause.",
};

/** Creates an error whose message is shown to the client, which is only done for GraphQLErrors. */
export function createError(code: GraphqlCode, message = messages[code] ?? code): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** Converts a database error to one for the client, and logs it if it is unexpected. */
function toGraphqlError(error: unknown): GraphQLError {
  const code = graphqlCodeOf(error);
  if (code === "internal_error") console.error(error);
  return createError(code);
}

function graphqlCodeOf(error: unknown): GraphqlCode {
  const code = codeOf(error);
  // Postgres cancelled the statement, or waited too long for a lock.
  if (code === "57014" || code === "55P03") return "query_timeout";
  if (isTransientDatabaseError(error)) return "database_unavailable";
  // Data exceptions.
  return code.startsWith("22") ? "invalid_argument" : "internal_error";
}

/** Limits the named statements, since each connection keeps them as long as it lives. */
const maxNames = 200;
/** A statement gets its name when it is used this often. */
const usesUntilNamed = 3;

/**
 * Names the statements that are used often, so that each connection parses and plans them once. Others, such as clients'
 * experiments, stay unnamed.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const asked = new LRUCache<string, number>({ max: 1_000 });
  return (text) => {
    const cached = names.get(text);
    if (cached !== undefined || names.size === maxNames) return cached;
    const times = (asked.get(text) ?? 0) + 1;
    asked.set(text, times);
    if (times < usesUntilNamed) return undefined;
    const name = `graphql_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

/** A block of a chain, after which rows are read. */
export type Pin = { chainId: number; block: number };

const problems: Record<string, [code: GraphqlCode, message: (block: number) => string]> = {
  ahead: [
    "block_not_indexed",
    (block) =>
      `Block ${block} is not indexed (yet), or a reorg or a restart is indexing it again: try again, or name one that _meta has.`,
  ],
  old: [
    "block_too_old",
    (block) =>
      `Before the last final block (in _meta), only trades, transfers, liquidityChanges and bnbUsdAnswers can be read as of block ${block}. Balances are in GET /api/token/{mint}/holders?at=${block}.`,
  ],
};

/** Runs statements of {@link pinStatement}. Throws a GraphQLError if the block can't be read. */
export function readPinned(read: ReadRows, pin: Pin | undefined): ReadRows {
  if (pin === undefined) return read;
  return async (statement) => {
    const rows = await read(statement);
    const state = String(rows[0]?.[0] ?? "ahead");
    const problem = problems[state];
    if (problem !== undefined) throw createError(problem[0], problem[1](pin.block));
    return rows.flatMap(([, isRow, ...values]) => (isRow === true ? [values] : []));
  };
}

const pins = new WeakMap<Row, Pin>();

/** The block at which a row was read, and at which those that it leads to are read. */
export const pinOf = (row: Row): Pin | undefined => pins.get(row);

/** Notes at which block rows were read. Returns them. */
export function pinRows<Rows extends (Row | null)[]>(rows: Rows, pin: Pin | undefined): Rows {
  if (pin !== undefined) for (const row of rows) if (row !== null) pins.set(row, pin);
  return rows;
}
