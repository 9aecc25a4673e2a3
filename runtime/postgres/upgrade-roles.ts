import { randomBytes } from "node:crypto";
import type pg from "pg";
import { inTransaction, onConnection } from "../../offchain/connection.ts";
import { literal, statement } from "../../offchain/statement.ts";
import { createRole, DATABASE, databaseUrl, keepOutOfLog, ROLES } from "./database.ts";
import type { Passwords } from "./home-files.ts";
import { moveOwnership } from "./move-ownership.ts";

/** A temporary superuser for the upgrade, since a role can't rename itself. */
export const UPGRADER = "launchpad_upgrader";

/** The new owner's temporary name, until the superuser is renamed. */
const NEXT_OWNER = "launchpad_next";

/**
 * Upgrades a cluster of the first version, whose only role `launchpad` is the superuser, to today's roles. The bootstrap
 * superuser can't be demoted, so it is renamed, and a new role takes over its name, its password and everything it owns.
 * Users' connection strings stay valid.
 *
 * The names change in a single transaction. Until then the cluster works as before, and every step can be repeated.
 */
export async function upgradeRoles(port: number, passwords: Passwords): Promise<void> {
  const upgraderPassword = randomBytes(24).toString("base64url");
  const superuser = databaseUrl(port, ROLES.owner, passwords.owner, "postgres");
  const databases = await onConnection(superuser, async (client) => {
    await keepOutOfLog(client);
    for (const role of [UPGRADER, NEXT_OWNER]) await createRole(client, role);
    await client.query(
      statement`alter role ${UPGRADER} login superuser password ${literal(upgraderPassword)}`,
    );
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where datallowconn and not datistemplate",
    );
    return rows.map(({ datname }) => datname);
  });

  const upgrade = (database: string, work: (client: pg.Client) => Promise<void>) =>
    onConnection(databaseUrl(port, UPGRADER, upgraderPassword, database), async (client) => {
      await keepOutOfLog(client);
      // A session keeps the privileges it started with, so superuser sessions must be closed.
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      await inTransaction(client, () => work(client));
    });

  for (const database of databases.filter((name) => name !== DATABASE)) {
    await upgrade(database, (client) => moveOwnership(client, ROLES.owner, NEXT_OWNER));
  }
  // The database is missing if the first start was interrupted.
  await upgrade(databases.includes(DATABASE) ? DATABASE : "postgres", async (client) => {
    await moveOwnership(client, ROLES.owner, NEXT_OWNER);
    await client.query(statement`alter role ${ROLES.owner} rename to ${ROLES.admin}`);
    await client.query(statement`alter role ${ROLES.admin} password ${literal(passwords.admin)}`);
    await client.query(statement`alter role ${NEXT_OWNER} rename to ${ROLES.owner}`);
    await client.query(statement`alter role ${ROLES.owner} login password ${literal(passwords.owner)}`);
  });
  // Closes sessions that connected in the meantime, while the name was still the superuser's.
  await upgrade("postgres", async () => {});
}
