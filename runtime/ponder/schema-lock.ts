import pg from "pg";
import { ignore, waitUntil } from "../../config/async.ts";
import { connectionOptions } from "../../config/connection-options.ts";
import { activityLocks, journalLocks, schemaLocks } from "../../offchain/advisory-locks.ts";
import { statement } from "../../offchain/connection.ts";
import { StartError } from "../start-error.ts";
import { hasTable } from "./indexed-schemas.ts";

/** Milliseconds to wait for an earlier indexer that is shutting down. */
const shutdownMs = 8_000;
/** Milliseconds between the signs of life of the process that holds the lock. */
const defaultHeartbeatMs = 1_000;
/** After how many of them a query counts as unanswered. */
const answerBeats = 10;
/** After how many of them without an answer of Postgres the holder starts anew: a slow disk may stop Postgres for seconds. */
const silentBeats = 15;
/** How many looks, a heartbeat apart, at a holder without a sign of life show that it is dead or cut off. */
const silentLooks = 7;

const schemaLockName = "schema_lock";

export type SchemaLock = ReturnType<typeof createSchemaLock>;

export type SchemaLockOptions = {
  url: string;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  signal: AbortSignal;
  /** Called when the database closed the connection that holds the lock, or has become silent. */
  onLost: () => void;
  heartbeatMs?: number;
};

/**
 * Holds a connection to the database, and with it the right to index into a schema, until the signal aborts.
 *
 * It detects two things that Ponder does not. First, that the database went away: Ponder writes with synchronous_commit off, so a
 * crashing Postgres may lose the last blocks that it had confirmed, and Ponder would continue after the gap; after a restart
 * Ponder reads how far it really got. Second, that the indexer whose lock is left in the schema is dead: Ponder itself would wait
 * 25 seconds.
 *
 * Postgres notices a killed holder at once, but not one whose machine or network has gone. So the holder gives a sign of life each
 * second, which others see in pg_stat_activity. Without signs they end its connections, and whatever it may still try to commit fails:
 * store/commits.ts. Without answers it starts anew.
 */
export function createSchemaLock({
  url,
  schema,
  signal,
  onLost,
  heartbeatMs = defaultHeartbeatMs,
}: SchemaLockOptions) {
  let held: pg.Client | undefined;
  /** The connection that found the lock taken, kept for the next look. */
  let waiting: pg.Client | undefined;
  const watchHolder = createHolderWatch(schema, heartbeatMs);

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(
      connectionOptions({
        connectionString: url,
        application_name: schemaLockName,
        connectionTimeoutMillis: 10_000,
        query_timeout: answerBeats * heartbeatMs,
      }),
    );
    // "end" follows and is handled below; without a listener the error would end this process.
    client.on("error", ignore);
    await client.connect();
    const close = () => void client.end().catch(ignore);
    signal.addEventListener("abort", close, { once: true });
    client.once("end", () => {
      signal.removeEventListener("abort", close);
      if (waiting === client) waiting = undefined;
      if (held !== client) return;
      held = undefined;
      if (!signal.aborted) onLost();
    });
    return client;
  }

  /**
   * Resolves to whether this process holds the exclusive right to index into the schema. Called again and again, it ends the connections
   * of a process that holds it and gives no sign of life.
   */
  async function tryAcquire(): Promise<boolean> {
    if (held === undefined) {
      const client = waiting ?? (await connect());
      waiting = client;
      try {
        const { rows } = await client.query("select pg_try_advisory_lock($1, hashtext($2)) as taken", [
          schemaLocks,
          schema,
        ]);
        if (!rows[0].taken) {
          await watchHolder(client);
          return false;
        }
      } catch (error) {
        // The next look needs another one: of a host that has vanished, this one would stay silent for a quarter of an hour.
        waiting = undefined;
        client.connection.stream.destroy();
        throw error;
      }
      waiting = undefined;
      held = client;
      keepAlive(client, heartbeatMs);
    }
    await releaseStaleLock(held, schema);
    return true;
  }

  return {
    tryAcquire,
    isHeld: () => held !== undefined,
    /** Resolves once this process holds it. Call it again after a loss. Throws a StartError with the code "in-use" if another one does. */
    async acquire(): Promise<void> {
      if (await tryAcquire()) return;
      await waiting?.end();
      throw new StartError(
        `another process indexes into the schema ${schema} of this database: stop it, or set DATABASE_SCHEMA to another name`,
        { code: "in-use" },
      );
    },
  };
}

/** Asks Postgres for an answer with each heartbeat, and cuts a connection that has had none for too long. */
function keepAlive(client: pg.Client, heartbeatMs: number): void {
  let askedAt = performance.now();
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) {
      // Also ends it on our side, which "end" of a client without an answer doesn't.
      if (performance.now() - askedAt > silentBeats * heartbeatMs) client.connection.stream.destroy();
      return;
    }
    isAsking = true;
    askedAt = performance.now();
    client.query("select 1").then(() => {
      isAsking = false;
    }, ignore);
  }, heartbeatMs);
  client.once("end", () => clearInterval(timer));
}

/** Returns a function that looks at the holder of the lock, and ends its connections once it has been silent for long enough. */
function createHolderWatch(schema: string, heartbeatMs: number): (client: pg.Client) => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lastSign: string | undefined;
  let looks = 0;

  return async (client) => {
    if (performance.now() - lookedAt < heartbeatMs) return;
    lookedAt = performance.now();
    const { rows } = await client.query<{ pid: number; sign: string | null }>(
      `select pid, pid || ' ' || state_change as sign
       from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and classid = $1 and objid::bigint = hashtext($2)::bigint & 4294967295
         and database = (select oid from pg_database where datname = current_database())`,
      [schemaLocks, schema],
    );
    const [holder] = rows;
    // Counted by looks that Postgres answered, so that a Postgres that pauses makes nobody look dead.
    looks = holder?.sign === lastSign ? looks + 1 : 0;
    // Null if this role may not see it.
    if (holder?.sign == null) looks = 0;
    lastSign = holder?.sign ?? undefined;
    if (looks < silentLooks) return;
    const [internal, user] = indexerNames(schema);
    // Processes that only serve have "internal" connections too, for a moment.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and (pid = $1 or application_name = $2
         or application_name = $3 and state_change < now() - $4 * interval '1 millisecond')`,
      [holder?.pid, user, internal, heartbeatMs],
    );
    // What it has left unfinished, which would make others wait.
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and classid = any($1) and datname = current_database()
         and state <> 'active' and state_change < now() - $2 * interval '1 millisecond'`,
      [[journalLocks, activityLocks], silentLooks * heartbeatMs],
    );
  };
}

/** The names of the connections with which an indexer writes. */
const indexerNames = (schema: string) => [`${schema}_internal`, `${schema}_user`] as const;

/** Releases the lock of a dead indexer. Waits for one that is shutting down. */
async function releaseStaleLock(client: pg.Client, schema: string): Promise<void> {
  if (!(await hasTable(client, schema, "_ponder_meta"))) return;
  const isGone = async () => {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name = any($1)",
      [indexerNames(schema)],
    );
    return rowCount === 0;
  };
  // It may be alive after all: leave it to Ponder, which checks its heartbeat.
  if (!(await waitUntil(isGone, { everyMs: 100, forMs: shutdownMs }))) return;
  await client.query(
    statement`update ${schema}._ponder_meta set value = jsonb_set(value, '{is_locked}', '0') where key = 'app'`,
  );
}
