import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { retryRead } from "../../database/retry.ts";
import { createError, toGraphqlError } from "./errors.ts";
import type { Statement } from "./parameters.ts";
import { createStatementNames } from "./statement-names.ts";

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
