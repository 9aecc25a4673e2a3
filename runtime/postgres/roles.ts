import type pg from "pg";
import { inTransaction, onConnection } from "../../offchain/connection.ts";
import { literal, statement } from "../../offchain/statement.ts";
import { StartError } from "../start-error.ts";
import { createRole, DATABASE, databaseUrl, keepOutOfLog, ROLES, WRONG_PASSWORD } from "./database.ts";
import type { Passwords } from "./home-files.ts";
import { UPGRADER, upgradeRoles } from "./upgrade-roles.ts";

const READERS = [ROLES.api, ROLES.reader, ROLES.sql];

/** Limits of the reading roles. A session can change all of them except temp_file_limit: the grants are the real protection. */
const READER_SETTINGS = {
  default_transaction_read_only: "on",
  statement_timeout: "60s",
  idle_in_transaction_session_timeout: "60s",
  work_mem: "16MB",
  temp_file_limit: "1GB",
};

/**
 * Functions that every role may call by default but that do more than read: large objects, messages in the write-ahead log and
 * transaction ids store data; locks, notifications, and cancelling or terminating sessions of the same role affect other sessions;
 * and set_config undoes the settings above from within a query.
 */
const OWNER_FUNCTIONS =
  "^(lo_creat|lo_create|lo_from_bytea|lo_put|lo_unlink|lowrite|lo_truncate|lo_truncate64|pg_notify|set_config|pg_logical_emit_message|pg_current_xact_id|txid_current|pg_(cancel|terminate)_backend|pg_(try_)?advisory_.*)$";

/**
 * Creates the service's roles and database, or upgrades those of an earlier version. If it is interrupted at any point, it can be
 * called again. Throws a StartError if the server refuses the login.
 */
export async function ensureRoles(port: number, passwords: Passwords): Promise<void> {
  const admin = (database: string) => databaseUrl(port, ROLES.admin, passwords.admin, database);
  try {
    if (!(await isAdmin(admin("postgres")))) await upgradeRoles(port, passwords);
    await onConnection(admin("postgres"), (client) => ensureInCluster(client, passwords));
    await onConnection(admin(DATABASE), (client) => ensureInDatabase(client));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const advice =
      // 42501: the other password was accepted, but for a role that isn't a superuser and may not connect to this database.
      code === WRONG_PASSWORD || code === "42501"
        ? "the file admin-password in the data folder is not the one that it was created with (in a folder of an earlier version: the file password)"
        : message;
    throw new StartError("failed", `Postgres refuses the service's login: ${advice}`, { cause: error });
  }
}

/** Whether the admin role exists. In a cluster of the first version, the superuser still has the name of today's owner. */
async function isAdmin(url: string): Promise<boolean> {
  try {
    return await onConnection(url, async () => true);
  } catch (error) {
    if ((error as { code?: string }).code === WRONG_PASSWORD) return false;
    throw error;
  }
}

async function ensureInCluster(client: pg.Client, passwords: Passwords): Promise<void> {
  await keepOutOfLog(client);
  await inTransaction(client, async () => {
    await client.query(statement`drop role if exists ${UPGRADER}`);
    for (const [role, name] of [
      ["owner", ROLES.owner],
      ["api", ROLES.api],
      ["reader", ROLES.reader],
      ["sql", ROLES.sql],
    ] as const) {
      await createRole(client, name);
      await client.query(
        statement`alter role ${name} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
          password ${literal(passwords[role])}`,
      );
    }
    // Out of the cluster's 200 connections. Each serving process reads with up to 40; writers use the rest.
    await client.query(statement`alter role ${ROLES.api} connection limit 120`);
    await client.query(statement`alter role ${ROLES.reader} connection limit 30`);
    await client.query(statement`alter role ${ROLES.sql} connection limit 30`);
    for (const role of READERS) {
      for (const [name, value] of Object.entries(READER_SETTINGS)) {
        await client.query(statement`alter role ${role} set ${name} = ${literal(value)}`);
      }
    }
    // So that the service can end people's sessions that keep it from working.
    await client.query(statement`grant ${ROLES.reader} to ${ROLES.owner}`);
    await client.query("revoke all on database postgres, template1 from public");
  });
  const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
  if (rowCount === 0) await client.query(statement`create database ${DATABASE} owner ${ROLES.owner}`);
}

async function ensureInDatabase(client: pg.Client): Promise<void> {
  await inTransaction(client, async () => {
    // This also revokes temporary tables, which could fill the disk.
    await client.query(statement`revoke all on database ${DATABASE} from public`);
    for (const role of READERS) {
      await client.query(statement`grant connect on database ${DATABASE} to ${role}`);
      // These would take precedence over the role's own.
      for (const name of Object.keys(READER_SETTINGS)) {
        await client.query(statement`alter role ${role} in database ${DATABASE} reset ${name}`);
      }
    }
    // A block of code can fill the server's log in a loop.
    await client.query(statement`grant usage on language plpgsql to ${ROLES.owner}`);
    await client.query("revoke usage on language plpgsql from public");
    const { rows } = await client.query(
      `select format('grant execute on function %s to %I', oid::regprocedure, $3::text) as give,
         format('revoke execute on function %s from public', oid::regprocedure) as take
       from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname ~ $1
         and has_function_privilege($2, oid, 'execute')`,
      [OWNER_FUNCTIONS, ROLES.api, ROLES.owner],
    );
    for (const { give, take } of rows) {
      await client.query(give);
      await client.query(take);
    }
  });
}
