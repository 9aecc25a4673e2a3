import { randomUUID } from "node:crypto";
import pg from "pg";
import { StartError } from "../start-error.ts";

const setting = "launchpad.probe";
const rounds = 3;

/**
 * Throws a StartError if the database is behind a pool that runs each transaction in any session, as PgBouncer does in transaction
 * mode. Locks, settings and notifications belong to a session, and would end up in the wrong one.
 */
export async function assertSessions(databaseUrl: string): Promise<void> {
  const probe = randomUUID();
  const [first, second] = await Promise.all([connect(databaseUrl), connect(databaseUrl)]);
  try {
    for (let round = 0; round < rounds; round++) {
      await first.query("select set_config($1, $2, false)", [setting, probe]);
      // A separate session doesn't see the setting.
      const { rows } = await second.query("select current_setting($1, true) as found", [setting]);
      await first.query("select set_config($1, '', false)", [setting]);
      if (rows[0].found === probe) throw transactionModeError();
    }
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on("error", ignoreLostConnection);
  await client.connect();
  return client;
}

/** The query that is waiting for an answer rejects with the same error. */
function ignoreLostConnection(): void {}

function transactionModeError(): StartError {
  return new StartError(
    "unsupported",
    "DATABASE_URL leads to a connection pool in transaction mode, which mixes up the sessions that the service needs: connect to Postgres itself, or to a pool in session mode (PgBouncer: pool_mode = session)",
  );
}
