import { randomUUID } from "node:crypto";
import pg from "pg";
import { StartError } from "../start-error.ts";

const setting = "launchpad.probe";
const rounds = 3;

/**
 * Throws a StartError when the database is reached through a pool that gives a connection's transactions to any session, as PgBouncer
 * does in transaction mode: locks, settings and notifications, which belong to sessions, would get into the wrong ones.
 */
export async function assertSessions(databaseUrl: string): Promise<void> {
  const probe = randomUUID();
  const [first, second] = await Promise.all([connect(databaseUrl), connect(databaseUrl)]);
  try {
    for (let round = 0; round < rounds; round++) {
      await first.query("select set_config($1, $2, false)", [setting, probe]);
      // A session of its own knows nothing of it.
      const { rows } = await second.query("select current_setting($1, true) as found", [setting]);
      await first.query("select set_config($1, '', false)", [setting]);
      if (rows[0].found === probe) throw transactionMode();
    }
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // Whoever waits for an answer hears of it.
  client.on("error", ignoreLostConnection);
  await client.connect();
  return client;
}

function ignoreLostConnection(): void {}

function transactionMode(): StartError {
  return new StartError(
    "unsupported",
    "DATABASE_URL leads to a connection pool in transaction mode, which mixes up the sessions that the service needs: connect to Postgres itself, or to a pool in session mode (PgBouncer: pool_mode = session)",
  );
}
