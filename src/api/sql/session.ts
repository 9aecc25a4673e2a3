import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { setPriority } from "node:os";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import type pg from "pg";
import { statement } from "../../../offchain/connection.ts";
import { createPool } from "../database/database.ts";
import { type Backend, selectBackend } from "./backends.ts";
import { sqlLimits } from "./limits.ts";
import { sqlStopped } from "./sql-problem.ts";

export type SqlPoolOptions = {
  /** Connects as the role for clients' statements. */
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

/** Undocumented fields of the driver's client: the socket and the role. */
type Connected = { connection: { stream: Duplex }; user: string };

export type SessionLimits = { seconds: number; bytes: number };

/** Thrown if we ended a session, because Postgres sent too much or took too long. */
export class SessionCutError extends Error {
  override name = "SessionCutError";
  readonly reason: "bytes" | "time";

  constructor(reason: SessionCutError["reason"]) {
    super(`the session was cut: ${reason}`);
    this.reason = reason;
  }
}

export type SessionOptions = SessionLimits & {
  schema: string;
  signal: AbortSignal;
  /** Called with the session's process if we close the connection while it runs a statement. */
  onCut: (backend: Backend) => void;
};

/** Connections whose process is limited. */
const limited = new WeakSet<pg.PoolClient>();

/**
 * Runs `work` in a read-only transaction of a session without state from earlier ones. Closes the connection if `signal` is
 * aborted, the time is up, or Postgres sends too much; Postgres then notices and cancels the statement. Throws a SessionCutError,
 * the signal's reason, or a problem while an earlier statement can't be stopped.
 */
export async function inReadSession<Result>(
  pool: pg.Pool,
  { schema, signal, seconds, bytes, onCut }: SessionOptions,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = await pool.connect();
  const { connection, user } = client as unknown as Connected;
  const socket = connection.stream;
  let backend: Backend | undefined;
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
  const abort = () => cut(signal.reason);
  // Later than Postgres's own timeout, whose error says more.
  const timer = setTimeout(() => cut(new SessionCutError("time")), seconds * 1_000 + 1_000);
  socket.on("data", count);
  signal.addEventListener("abort", abort, { once: true });
  let isClean = false;
  try {
    signal.throwIfAborted();
    await client.query("discard all");
    backend = await begin(client, schema, seconds);
    if (backend.runaways > 0) throw sqlStopped();
    if (!limited.has(client)) await limitBackend(backend.pid, user);
    limited.add(client);
    const result = await work(client);
    await client.query("rollback");
    isClean = true;
    return result;
  } catch (error) {
    if (cutFor !== undefined) {
      if (backend !== undefined) onCut(backend);
      throw cutFor;
    }
    isClean = await client.query("rollback").then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    clearTimeout(timer);
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
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1;
  set standard_conforming_strings = on`;

/** Begins the transaction, and resolves to the process that runs it. */
async function begin(client: pg.PoolClient, schema: string, seconds: number): Promise<Backend> {
  const statements = [
    fixedSettings,
    `set statement_timeout = ${Math.round(seconds * 1_000)}`,
    statement`set search_path = launchpad, ${schema}`,
    selectBackend,
    "begin read only",
  ].join(";");
  // One result for each statement.
  const results = (await client.query(statements)) as unknown as pg.QueryResult<Backend>[];
  const [backend] = results.flatMap(({ rows }) => rows);
  if (backend === undefined) throw new Error("Postgres doesn't show the session's own process");
  return backend;
}

const run = promisify(execFile);
let isReported = false;

/**
 * Limits the Postgres process of a connection, where it runs on this machine and we may: it gets the lowest priority, and
 * `sqlLimits.memoryBytes` of memory of its own. Postgres limits each sort and hash, but not the values that a statement builds, of
 * up to a gigabyte each; with this limit, the statement fails with an error.
 *
 * @param pid the process id that Postgres reports
 * @param role the role that the process serves, which distinguishes it from a process with the same id on another machine
 */
async function limitBackend(pid: number, role: string): Promise<void> {
  const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (!title.startsWith("postgres: ") || !title.includes(` ${role} `)) return;
  try {
    setPriority(pid, 19);
    // Another user's process can't be limited without a privilege that containers lack, so this runs as its user.
    const { uid, gid } = await stat(`/proc/${pid}`);
    const user = process.getuid?.() === 0 ? { uid, gid } : {};
    await run("prlimit", ["--pid", String(pid), `--data=${sqlLimits.memoryBytes}`], user);
  } catch (error) {
    // Its session may have been closed meanwhile.
    const isGone = !existsSync(`/proc/${pid}`);
    if (isReported || isGone) return;
    console.error("the memory of Postgres processes that run clients' SQL is not limited:", error);
    isReported = true;
  }
}
