import { randomUUID } from "node:crypto";
import type pg from "pg";
import { literal, onConnection, statement } from "../../offchain/connection.ts";
import { StartError } from "../start-error.ts";

/** A variable with the connection string of a database. */
type DatabaseVariable = "DATABASE_URL" | "DATABASE_READ_URL";

const rounds = 3;

/** Throws a StartError if a database {@link mixesSessions}. */
export async function assertSessions(url: string, variable: DatabaseVariable): Promise<void> {
  if (!(await mixesSessions(url))) return;
  throw new StartError(
    `${variable} leads to a connection pool in transaction mode, which mixes up the sessions that the service needs: connect to Postgres itself, or to a pool in session mode (PgBouncer: pool_mode = session)`,
    { code: "unsupported" },
  );
}

/**
 * Whether a database is behind a pool that runs each transaction in any session, as PgBouncer does in transaction mode. Locks,
 * settings, prepared statements and notifications belong to a session, and would end up in the wrong one.
 */
export async function mixesSessions(url: string): Promise<boolean> {
  const probe = randomUUID();
  return await onConnection(url, (first) =>
    onConnection(url, async (second) => {
      for (let round = 0; round < rounds; round++) {
        // Not set_config(), which the roles that only read may not call.
        await first.query(statement`set launchpad.probe = ${literal(probe)}`);
        // A separate session doesn't see the setting.
        const { rows } = await second.query("select current_setting('launchpad.probe', true) as found");
        await first.query("set launchpad.probe = ''");
        if (rows[0].found === probe) return true;
      }
      return false;
    }),
  );
}

/** Throws a StartError if Postgres writes dates to this role in a form that would be taken for other dates, or for none. */
export async function assertDates(client: pg.ClientBase, variable: DatabaseVariable): Promise<void> {
  const { rows } = await client.query<{ style: string; role: string }>(
    "select current_setting('DateStyle') as style, quote_ident(current_user) as role",
  );
  const [{ style, role } = { style: "ISO", role: "" }] = rows;
  if (style.startsWith("ISO")) return;
  throw new StartError(
    `Postgres has DateStyle = ${style} for the role of ${variable}, and the service reads dates in the style ISO: alter role ${role} set DateStyle = 'ISO';`,
    { code: "unsupported" },
  );
}
