import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { retryRead } from "../../database/retry.ts";
import { failed, failureOf } from "./failures.ts";
import type { Statement } from "./parameters.ts";
import { createStatementNames } from "./statement-names.ts";

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

/** Runs a GraphQL query: what it reads counts together. */
export function runQuery<Answer>(limits: RunLimits, execute: () => Answer): Answer {
  return runs.run({ ...limits, bytesRead: 0, largestRow: 0 }, execute);
}

/** Runs a statement, within the limits of the query that it is for. Rows are as the driver has them: big numbers are strings. */
export type ReadRows = (statement: Statement) => Promise<unknown[][]>;

/** @param pool of which each statement takes the connections that there are then */
export function createReadRows(pool: () => pg.Pool | undefined): ReadRows {
  const nameOf = createStatementNames();
  return async ({ text, values }) => {
    const run = runs.getStore();
    if (run?.signal.aborted) throw failed("query_timeout");
    const name = nameOf(text);
    const statement: pg.QueryArrayConfig = { text, values, rowMode: "array", ...(name && { name }) };
    const rows = await query(pool(), statement);
    if (run === undefined) return rows;
    countBytes(run, rows);
    if (run.bytesRead + run.repeats * run.largestRow > run.bytes) throw failed("answer_too_large");
    return rows;
  };
}

async function query(pool: pg.Pool | undefined, statement: pg.QueryArrayConfig): Promise<unknown[][]> {
  if (pool === undefined)
    throw new Error("Invariant: GraphQL is served by Ponder, which has connections for it");
  try {
    return (await retryRead(pool, () => pool.query<unknown[]>(statement))).rows;
  } catch (error) {
    throw failureOf(error);
  }
}

/** Counts about as many bytes as the values have in JSON. */
function countBytes(run: Run, rows: unknown[][]): void {
  for (const row of rows) {
    let bytes = 0;
    for (const value of row) bytes += typeof value === "string" ? value.length : 8;
    run.bytesRead += bytes;
    run.largestRow = Math.max(run.largestRow, bytes);
  }
}
