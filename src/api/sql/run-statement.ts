import type pg from "pg";
import { ignore } from "../../../config/async.ts";
import type { Environment } from "../../../config/env.ts";
import { type Backend, createBackendWatch } from "./backends.ts";
import { createStatementCheck, type Statement } from "./check/check-statement.ts";
import { sqlLimits } from "./limits.ts";
import { createSqlPool, inReadSession, SessionCutError, type SessionLimits } from "./session.ts";
import { timedOut, tooLarge, toSqlProblem } from "./sql-problem.ts";
import { createDecoders } from "./values.ts";

type Column = { name: string; typeId: number };

export type Rows = {
  columns: Column[];
  rows: unknown[][];
  /** Whether there are more rows than these. */
  isCut: boolean;
};

type RunLimits = SessionLimits & { rows: number };

/** A statement that was begun. */
type Running = {
  rows: Promise<Rows>;
  /** Resolves once Postgres has ended the statement, which may be later than its time was up. Never rejects. */
  ended: Promise<void>;
};

export type RunStatement = (statement: Statement, signal: AbortSignal, limits?: RunLimits) => Running;

type RunnerOptions = {
  /** Connects as the role for clients' statements. */
  url: string;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
};

/** Postgres accepts only a single query after this, whose rows can then be fetched in batches. */
const declare = "declare answer no scroll cursor without hold for ";
const fetchSize = 500;

/**
 * Creates a runner of clients' statements, which checks them and runs them in a role that may only read. Rows reject with a
 * ProblemException for what the client can correct, and with the driver's error if the database is unavailable.
 */
function createRunner(options: RunnerOptions) {
  const pool = createSqlPool({ ...options, connections: sqlLimits.running });
  const watchPool = createSqlPool({ ...options, connections: 1 });
  const { untilEnded, readMetrics } = createBackendWatch(watchPool);
  const { check, stop } = createStatementCheck();
  const runUnchecked = createUncheckedRun(pool, options.schema);

  const run: RunStatement = (statement, signal, limits) => {
    let cut: Backend | undefined;
    const onCut = (backend: Backend) => {
      cut = backend;
    };
    const rows = check(statement).then(({ explains }) =>
      runUnchecked(statement, signal, { limits, onCut, explains }),
    );
    const ended = rows.then(ignore, ignore).then(() => (cut === undefined ? undefined : untilEnded(cut)));
    return { rows, ended };
  };
  return {
    run,
    readMetrics,
    async end(): Promise<void> {
      stop();
      await Promise.all([pool.end(), watchPool.end()]);
    },
  };
}

/**
 * Runs statements without the check that precedes it: only the role's privileges and the session's limits apply, which hold for
 * any statement that Postgres can cancel.
 */
export function createUncheckedRun(pool: pg.Pool, schema: string) {
  return async (
    statement: Statement,
    signal: AbortSignal,
    {
      limits = sqlLimits,
      onCut = ignore,
      explains = false,
    }: { limits?: RunLimits | undefined; onCut?: (backend: Backend) => void; explains?: boolean } = {},
  ): Promise<Rows> => {
    try {
      return await inReadSession(pool, { schema, signal, onCut, ...limits }, (client) =>
        explains ? readPlan(client, statement) : readRows(client, statement, limits.rows),
      );
    } catch (error) {
      if (!(error instanceof SessionCutError))
        throw toSqlProblem(error, explains ? 0 : declare.length, limits.seconds);
      throw error.reason === "bytes" ? tooLarge(limits.bytes) : timedOut(limits.seconds);
    }
  };
}

/** A plan comes without a cursor: `declare` takes no EXPLAIN. */
async function readPlan(client: pg.PoolClient, { text, values }: Statement): Promise<Rows> {
  const plan = { text, values, queryMode: "extended", rowMode: "array" };
  const { rows, fields } = await client.query<unknown[]>(plan as pg.QueryArrayConfig);
  return { columns: fields.map(toColumn), rows, isCut: false };
}

const toColumn = ({ name, dataTypeID }: pg.FieldDef): Column => ({ name, typeId: dataTypeID });

async function readRows(client: pg.PoolClient, { text, values }: Statement, maxRows: number): Promise<Rows> {
  // The extended protocol refuses a second statement, whatever the text is.
  await client.query({ text: declare + text, values, queryMode: "extended" } as pg.QueryConfig);
  const rows: unknown[][] = [];
  const types = createDecoders();
  for (;;) {
    const { rows: fetched, fields } = await client.query<unknown[]>({
      text: `fetch forward ${fetchSize} from answer`,
      rowMode: "array",
      types,
    });
    for (const row of fetched) rows.push(row);
    if (fetched.length === fetchSize && rows.length <= maxRows) continue;
    return {
      columns: fields.map(toColumn),
      rows: rows.slice(0, maxRows),
      isCut: rows.length > maxRows,
    };
  }
}

declare global {
  var LAUNCHPAD_SQL: (() => Promise<void>) | undefined;
}

export type SqlService = Pick<ReturnType<typeof createRunner>, "run" | "readMetrics">;

/**
 * Starts the service that runs clients' SQL, as configured; returns undefined if no role is set up for it. In development,
 * Ponder reloads the API in the same process: then this ends the earlier service.
 */
export function startSql({ isSqlOn, databaseSqlUrl, databaseSchema }: Environment): SqlService | undefined {
  void globalThis.LAUNCHPAD_SQL?.();
  if (isSqlOn !== true || databaseSqlUrl === undefined) return undefined;
  const { run, readMetrics, end } = createRunner({ url: databaseSqlUrl, schema: databaseSchema });
  globalThis.LAUNCHPAD_SQL = end;
  return { run, readMetrics };
}
