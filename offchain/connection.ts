import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { connectionOptions } from "../config/connection-options.ts";

/** The running query, or the next one, reports a lost connection. Closing it and rolling back then fail too, which needs no report. */
export const reportedByQuery = () => {};

/** Milliseconds for the server to take a new connection. */
const connectMs = 30_000;

/**
 * Runs `work` on a new connection. Throws the driver's error.
 *
 * @param answerMs how long connecting and each query may take; without, a server that has gone silent is waited for
 */
export async function onConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
  { answerMs }: { answerMs?: number } = {},
): Promise<Result> {
  const client = new pg.Client(
    connectionOptions({
      connectionString,
      connectionTimeoutMillis: Math.min(connectMs, answerMs ?? connectMs),
      query_timeout: answerMs,
    }),
  );
  client.on("error", reportedByQuery);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(reportedByQuery);
  }
}

/**
 * Sets what a role or a database may have set otherwise for its sessions. In another style, dates would be taken for other dates; and what
 * a command does may take long, or wait for something else within a transaction.
 */
export const sessionSettings =
  "set DateStyle = 'ISO'; set standard_conforming_strings = on; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0";

/**
 * Keeps a pool's lost connections from ending the process. A server that stops closes its connections, idle or not. Pending queries
 * reject with the error; without a listener it would also end the process. The pool itself only listens for idle ones.
 */
export function tolerateLostConnections(pool: pg.Pool): pg.Pool {
  pool.on("error", reportedByQuery);
  pool.on("connect", (client) => client.on("error", reportedByQuery));
  return pool;
}

/** Runs `work` on a connection of the pool, which is closed if `work` fails: it may still hold a lock. Throws what `work` throws. */
export async function onPooledConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let isUsable = false;
  try {
    const result = await work(client);
    isUsable = true;
    return result;
  } finally {
    client.release(!isUsable);
  }
}

/** Runs `work` on one connection that is kept for the next time. Throws the driver's error; then the next one is a new connection. */
export type KeptConnection = <Result>(work: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;

/** Opens a connection with its first use, keeps it until the signal aborts, and replaces it after a restart of Postgres. For those who poll. */
export function keepConnection(connectionString: string, signal: AbortSignal): KeptConnection {
  const pool = new pg.Pool(
    connectionOptions({
      connectionString,
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: connectMs,
    }),
  );
  tolerateLostConnections(pool);
  signal.addEventListener("abort", () => void pool.end(), { once: true });
  return (work) => onPooledConnection(pool, work);
}

/** Runs `work` in a transaction whose statements each see what was committed before them. */
export async function inTransaction<Result>(
  client: Pick<pg.ClientBase, "query">,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query("begin isolation level read committed");
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(reportedByQuery);
    throw error;
  }
}

/**
 * A lock timeout for changes that no reader of the table may see: while they wait for a long reader, everyone else waits behind
 * them. See {@link retryWhileLocked}.
 */
export const briefLockTimeout = "1s";

/** The SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = "55P03";
const maxAttempts = 60;
const pauseMs = 1_000;

/**
 * Runs `work`, a transaction with {@link briefLockTimeout}, again and again until nobody else has a lock that it needs. Those who
 * wait behind it get their turn in between. Throws the driver's error if it fails, or if two minutes were not enough.
 */
export async function retryWhileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code, cause } = error as { code?: string; cause?: { code?: string } };
      if ((code ?? cause?.code) !== LOCK_NOT_AVAILABLE || attempt === maxAttempts) throw error;
      await delay(pauseMs);
    }
  }
}

/** Runs `work` on a pooled connection, in a read-only transaction with one snapshot of the database. */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    return await work(client);
  } finally {
    const hasEnded = await client.query("rollback").then(
      () => true,
      () => false,
    );
    client.release(!hasEnded);
  }
}

/** A value within a statement. */
export class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const literal = (text: string) => new Literal(text);

/**
 * Builds a statement that takes no parameters, such as DDL. Substitutions are quoted: names as identifiers, a {@link literal}
 * as a value.
 *
 * @example statement`alter role ${name} password ${literal(password)}`
 */
export function statement(parts: TemplateStringsArray, ...substitutions: (string | Literal)[]): string {
  const quoted = substitutions.map((value) =>
    value instanceof Literal ? pg.escapeLiteral(value.text) : pg.escapeIdentifier(value),
  );
  return String.raw({ raw: parts }, ...quoted);
}
