import type { Duplex } from "node:stream";
import type pg from "pg";
import { statement } from "../../../offchain/statement.ts";
import { createPool } from "../database/database.ts";
import { sqlLimits } from "./limits.ts";
import { watchMemory } from "./memory-watch.ts";

export type SqlPoolOptions = {
  /** As the role for analysts. */
  url: string;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  connections: number;
};

/** Connections for statements of clients, and nothing else. */
export function createSqlPool({ url, schema, connections }: SqlPoolOptions): pg.Pool {
  // Each statement has a time limit of its own, which is shorter.
  return createPool({ url, name: `${schema}_sql`, connections, statementSeconds: 30 });
}

/** What the driver knows of a connection, and has no method for: the socket, and who is on both ends. */
type Connected = { connection: { stream: Duplex }; processID: number; user: string };

export type SessionLimits = { seconds: number; bytes: number };

/** A session was ended by us, since Postgres sent too much or took too much memory, or the time was over. */
export class SessionCutError extends Error {
  override name = "SessionCutError";
  readonly reason: "bytes" | "memory" | "time";

  constructor(reason: SessionCutError["reason"]) {
    super(`the session was cut: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Runs `work` in a read-only transaction of a session that has nothing left of earlier ones. It is cut off when `signal` is
 * aborted, the time is over or Postgres takes or sends too many bytes; Postgres sees that, and ends the statement.
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
  const leave = () => cut(signal.reason as Error);
  // Later than Postgres's own limit, whose error says more.
  const timer = setTimeout(() => cut(new SessionCutError("time")), seconds * 1_000 + 1_000);
  const stopWatching = watchMemory(processID, user, sqlLimits.memoryBytes, () =>
    cut(new SessionCutError("memory")),
  );
  socket.on("data", count);
  signal.addEventListener("abort", leave, { once: true });
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
    signal.removeEventListener("abort", leave);
    client.release(!isClean || cutFor !== undefined);
  }
}

// A cursor's rows are all wanted, and parallel workers multiply what one statement takes.
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
