import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { schemaLocks } from "../../offchain/advisory-locks.ts";
import { statement } from "../../offchain/statement.ts";
import { StartError } from "../start-error.ts";

/** Milliseconds to wait for an earlier indexer that is shutting down. */
const shutdownMs = 8_000;

export type SchemaLock = {
  /** Resolves once this process holds the exclusive right to index into the schema. Call it again after a loss. */
  acquire(): Promise<void>;
};

export type SchemaLockOptions = {
  url: string;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  signal: AbortSignal;
  /** Called when the database closed the connection that holds the lock. */
  onLost: () => void;
};

/**
 * Holds a connection to the database, and with it the right to index into a schema, until the signal aborts.
 *
 * It detects two things that Ponder does not. First, that the database went away: Ponder writes with synchronous_commit off, so a
 * crashing Postgres may lose the last blocks that it had confirmed, and Ponder would continue after the gap; after a restart
 * Ponder reads how far it really got. Second, that the indexer whose lock is left in the schema is dead: Ponder itself would wait
 * 25 seconds.
 */
export function createSchemaLock({ url, schema, signal, onLost }: SchemaLockOptions): SchemaLock {
  let held: pg.Client | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: "schema_lock",
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    // "end" follows and is handled below; without a listener the error would end this process.
    const handledByEnd = () => {};
    client.on("error", handledByEnd);
    await client.connect();
    client.once("end", () => {
      if (held !== client) return;
      held = undefined;
      if (!signal.aborted) onLost();
    });
    signal.addEventListener("abort", () => void client.end().catch(handledByEnd), { once: true });
    return client;
  }

  return {
    async acquire() {
      if (held === undefined) {
        const client = await connect();
        const { rows } = await client.query("select pg_try_advisory_lock($1, hashtext($2)) as taken", [
          schemaLocks,
          schema,
        ]);
        if (!rows[0].taken) {
          await client.end();
          throw new StartError(
            "in-use",
            `another process indexes into the schema ${schema} of this database: stop it, or set DATABASE_SCHEMA to another name`,
          );
        }
        held = client;
      }
      await releaseStaleLock(held, schema);
    },
  };
}

/** Releases the lock of a dead indexer. Waits for one that is shutting down. */
async function releaseStaleLock(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query("select to_regclass($1) is not null as exists", [
    `${schema}._ponder_meta`,
  ]);
  if (!rows[0].exists) return;

  const deadline = performance.now() + shutdownMs;
  for (;;) {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name = any($1)",
      [[`${schema}_internal`, `${schema}_user`]],
    );
    if (rowCount === 0) break;
    // It may be alive after all: leave it to Ponder, which checks its heartbeat.
    if (performance.now() > deadline) return;
    await delay(100);
  }
  await client.query(
    statement`update ${schema}._ponder_meta set value = jsonb_set(value, '{is_locked}', '0') where key = 'app'`,
  );
}
