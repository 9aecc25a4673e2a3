import type { Duplex } from "node:stream";
import type pg from "pg";
import { statement } from "../../../offchain/statement.ts";
import { createPool } from "../database/database.ts";
import { sqlLimits } from "./limits.ts";
import { watchMemory } from "./memory-watch.ts";

export type SqlPoolOptions = {
  /** Connects as the analysts' role. */
  url: string;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  connections: number;
};

/** Creates a pool for clients' statements, and nothing else. */
export function createSqlPool({ url, schema, connections }: SqlPoolOptions): pg.Pool {
  // Each session sets a shorter limit.
  return createPool({ url, name: `${schema}_sql`, connections, statementSeconds: 30 });
}

/** Undocumented fields of the driver's client: the socket, the server process and the role. */
type Connected = { connection: { stream: Duplex }; processID: number; user: string };

export type SessionLimits = { seconds: number; bytes: number };

/** Thrown if we ended a session, because Postgres sent too much, used too much memory or took too long. */
export class SessionCutError extends Error {
  override name = "SessionCutError";
  readonly reason: "bytes" | "memory" | "time";

  constructor(reason: SessionCutError["reason"]) {
    super(`the session was cut: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Runs `work` in a read-only transaction of a session without state from earlier ones. Closes the connection if `signal` is
 * aborted, the time is up, or Postgres uses too much memory or sends too much; Postgres then notices and cancels the
 * statement. Throws a SessionCutError, or the signal's reason.
 */
export async function inReadSession<Result>(
  pool: pg.Pool,
  { schema, signal, seconds, bytes }: SessionLimits & { schema: string; signal: AbortSignal },
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = await pool.connect();
  const { connection, processID, user } = client as unknown as Connected;
  const socket = connection.stream;
  let cutFor: Error | undefined;
  const cut = (reason: Error) => {
    cutFor ??= reason;
    socket.destroy();
  };
  let received = 0;
  const count = (data: Buffer) => {
    received += data.length;
    if (received > bytes) cut(new SessionCutError("bytes"));
  };
  const abort = () => cut(signal.reason as Error);
  // Later than Postgres's own timeout, whose error says more.
  const timer = setTimeout(() => cut(new SessionCutError("time")), seconds * 1_000 + 1_000);
  const stopWatching = watchMemory(processID, user, sqlLimits.memoryBytes, () =>
    cut(new SessionCutError("memory")),
  );
  socket.on("data", count);
  signal.addEventListener("abort", abort, { once: true });
  let isClean = false;
  try {
    signal.throwIfAborted();
    await client.query("discard all");
    await client.query(settings(schema, seconds));
    const result = await work(client);
    await client.query("rollback");
    isClean = true;
    return result;
  } catch (error) {
    if (cutFor !== undefined) throw cutFor;
    isClean = await client.query("rollback").then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    clearTimeout(timer);
    stopWatching();
    socket.off("data", count);
    signal.removeEventListener("abort", abort);
    client.release(!isClean || cutFor !== undefined);
  }
}

// All rows of the cursor are fetched, and parallel workers would multiply what one statement uses.
const fixedSettings = `
  set default_transaction_read_only = on; set lock_timeout = '5s'; set idle_in_transaction_session_timeout = '30s';
  set work_mem = '16MB'; set hash_mem_multiplier = 1; set max_parallel_workers_per_gather = 0; set jit = off;
  set cursor_tuple_fraction = 1; set client_connection_check_interval = '100ms'; set timezone = 'UTC';
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1`;

const settings = (schema: string, seconds: number) =>
  [
    fixedSettings,
    `set statement_timeout = ${Math.round(seconds * 1_000)}`,
    statement`set search_path = launchpad, ${schema}`,
    "begin read only",
  ].join(";");
