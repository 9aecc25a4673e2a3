import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { statement } from "../../offchain/statement.ts";
import { StartError } from "../start-error.ts";

// Any constant serves, as long as nothing else in the database locks the same one.
const lockSpace = 560_097;

const LAST_INDEXER_MS = 8_000;

export type SchemaLock = {
  /** Resolves once this process alone may index into the schema. May be called again, after a loss. */
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
 * It tells two things that Ponder does not find out. That the database was lost: Ponder writes with
 * synchronous_commit off, so a Postgres that crashes may forget the last blocks that it had confirmed, and Ponder
 * would go on behind them; started again, it reads how far it really got. And that an indexer which left its lock in
 * the schema is dead, for which Ponder waits 25 seconds.
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
    // The end follows; without a listener the error would end this process.
    client.on("error", () => {});
    await client.connect();
    client.once("end", () => {
      if (held !== client) return;
      held = undefined;
      if (!signal.aborted) onLost();
    });
    signal.addEventListener("abort", () => void client.end().catch(() => {}), { once: true });
    return client;
  }

  return {
    async acquire() {
      if (held === undefined) {
        const client = await connect();
        const { rows } = await client.query("select pg_try_advisory_lock($1, hashtext($2)) as taken", [
          lockSpace,
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
      await clearLastIndexer(held, schema);
    },
  };
}

/** Takes away the lock of an indexer that is gone. One that is just going is waited for. */
async function clearLastIndexer(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query("select to_regclass($1) is not null as exists", [
    `${schema}._ponder_meta`,
  ]);
  if (!rows[0].exists) return;

  const deadline = performance.now() + LAST_INDEXER_MS;
  for (;;) {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name = any($1)",
      [[`${schema}_internal`, `${schema}_user`]],
    );
    if (rowCount === 0) break;
    // Then it may live after all, and Ponder decides by its heartbeat.
    if (performance.now() > deadline) return;
    await delay(100);
  }
  await client.query(
    statement`update ${schema}._ponder_meta set value = jsonb_set(value, '{is_locked}', '0') where key = 'app'`,
  );
}
