import type pg from "pg";
import { checkStatement, type Statement } from "./check-statement.ts";
import { decoders } from "./decode.ts";
import { sqlLimits } from "./limits.ts";
import { createSqlPool, inReadSession, SessionCutError, type SessionLimits } from "./session.ts";
import { timedOut, tooLarge, tooMuchMemory, toSqlProblem } from "./sql-problem.ts";
import { readVolatileFunctions } from "./volatile-functions.ts";

type Column = { name: string; typeId: number };

export type Rows = {
  columns: Column[];
  rows: unknown[][];
  /** Whether there are more rows than these. */
  isCut: boolean;
};

type RunLimits = SessionLimits & { rows: number };

export type RunStatement = (statement: Statement, signal: AbortSignal, limits?: RunLimits) => Promise<Rows>;

export type RunnerOptions = {
  url: string;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
};

/** Postgres accepts only a single query after this, whose rows can then be fetched in batches. */
const declare = "declare answer no scroll cursor without hold for ";
const fetchSize = 500;

type Runner = { run: RunStatement; end: () => Promise<void> };

/**
 * Creates a runner of clients' statements, which checks them and runs them as the analysts' role. It throws a ProblemException
 * for what the client can correct, and the driver's error if the database is unavailable.
 */
export function createRunner(options: RunnerOptions): Runner {
  // One more connection, for live queries.
  const pool = createSqlPool({ ...options, connections: sqlLimits.running + 1 });
  const volatileFunctions = readVolatileFunctions(pool);
  const { run, end } = createUncheckedRunner(pool, options.schema);
  return {
    async run(statement, ...given) {
      checkStatement(statement, await volatileFunctions());
      return await run(statement, ...given);
    },
    end,
  };
}

/**
 * The same without the check: only the role's privileges and the session's limits apply, which hold for any statement.
 */
export function createUncheckedRunner(pool: pg.Pool, schema: string): Runner {
  return {
    async run(statement, signal, limits = sqlLimits) {
      try {
        return await inReadSession(pool, { schema, signal, ...limits }, (client) =>
          readRows(client, statement, limits.rows),
        );
      } catch (error) {
        if (!(error instanceof SessionCutError)) throw toSqlProblem(error, declare.length, limits.seconds);
        if (error.reason === "memory") throw tooMuchMemory();
        throw error.reason === "bytes" ? tooLarge(limits.bytes) : timedOut(limits.seconds);
      }
    },
    end: () => pool.end(),
  };
}

async function readRows(client: pg.PoolClient, { text, values }: Statement, maxRows: number): Promise<Rows> {
  // The extended protocol refuses a second statement, whatever the text is.
  await client.query({ text: declare + text, values, queryMode: "extended" } as pg.QueryConfig);
  const rows: unknown[][] = [];
  for (;;) {
    const { rows: found, fields } = await client.query<unknown[]>({
      text: `fetch forward ${fetchSize} from answer`,
      rowMode: "array",
      types: decoders,
    });
    for (const row of found) rows.push(row);
    if (found.length === fetchSize && rows.length <= maxRows) continue;
    return {
      columns: fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID })),
      rows: rows.slice(0, maxRows),
      isCut: rows.length > maxRows,
    };
  }
}
