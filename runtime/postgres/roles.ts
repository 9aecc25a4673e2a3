import { randomBytes } from "node:crypto";
import type pg from "pg";
import { codeOf, reasonOf } from "../../config/error-code.ts";
import { inTransaction, literal, onConnection, statement } from "../../offchain/connection.ts";
import { viewsSchema } from "../../offchain/read-grants.ts";
import { StartError } from "../start-error.ts";
import type { Passwords } from "./data-home.ts";
import { createRole, DATABASE, databaseUrl, keepOutOfLog, ROLES, WRONG_PASSWORD } from "./database.ts";

/** Limits of the reading roles. A session can change all of them except temp_file_limit: the grants are the real protection. */
const LIMITS = {
  default_transaction_read_only: "on",
  statement_timeout: "60s",
  idle_in_transaction_session_timeout: "60s",
  work_mem: "16MB",
  temp_file_limit: "1GB",
};

/** Messages about errors have values of any size, and would fill the disk with the server's log. No session can change this. */
const WITHOUT_ERRORS_IN_LOG = { log_min_messages: "log" };

/** The settings of the roles that read: others write the statements of two of them. */
const READER_SETTINGS: Record<string, Record<string, string>> = {
  [ROLES.api]: LIMITS,
  [ROLES.reader]: { ...LIMITS, ...WITHOUT_ERRORS_IN_LOG },
  [ROLES.sql]: { ...LIMITS, ...WITHOUT_ERRORS_IN_LOG },
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
    const advice =
      // 42501: the other password was accepted, but for a role that isn't a superuser and may not connect to this database.
      [WRONG_PASSWORD, "42501"].includes(codeOf(error))
        ? "the file admin-password in the data folder is not the one that it was created with (in a folder of an earlier version: the file password)"
        : reasonOf(error);
    throw new StartError(`Postgres refuses the service's login: ${advice}`, { cause: error });
  }
}

/** Whether the admin role exists. In a cluster of the first version, the superuser still has the name of today's owner. */
async function isAdmin(url: string): Promise<boolean> {
  try {
    return await onConnection(url, async () => true);
  } catch (error) {
    if (codeOf(error) === WRONG_PASSWORD) return false;
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
    // Out of the cluster's 200 connections. Each serving process reads with up to 46; writers use the rest.
    await client.query(statement`alter role ${ROLES.api} connection limit 120`);
    await client.query(statement`alter role ${ROLES.reader} connection limit 30`);
    await client.query(statement`alter role ${ROLES.sql} connection limit 30`);
    for (const [role, settings] of Object.entries(READER_SETTINGS)) {
      for (const [name, value] of Object.entries(settings)) {
        await client.query(statement`alter role ${role} set ${name} = ${literal(value)}`);
      }
    }
    // People's tools find the views without their schema's name.
    await client.query(statement`alter role ${ROLES.reader} set search_path = ${viewsSchema}, public`);
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
    for (const [role, settings] of Object.entries(READER_SETTINGS)) {
      await client.query(statement`grant connect on database ${DATABASE} to ${role}`);
      // These would take precedence over the role's own.
      for (const name of Object.keys(settings)) {
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

/** A temporary superuser for the upgrade, since a role can't rename itself. */
const UPGRADER = "launchpad_upgrader";

/** The new owner's temporary name, until the superuser is renamed. */
const NEXT_OWNER = "launchpad_next";

/**
 * Upgrades a cluster of the first version, whose only role `launchpad` is the superuser, to today's roles. The bootstrap
 * superuser can't be demoted, so it is renamed, and a new role takes over its name, its password and everything it owns.
 * Users' connection strings stay valid.
 *
 * The names change in a single transaction. Until then the cluster works as before, and every step can be repeated.
 */
async function upgradeRoles(port: number, passwords: Passwords): Promise<void> {
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

/**
 * Lists the statements that transfer everything $1 owns in this database to $2. REASSIGN OWNED refuses to do so for the bootstrap
 * superuser, since it owns the catalogs too. Left out are objects of the system (OIDs below 16384) and of extensions, and
 * those whose owner changes with their table.
 */
const STATEMENTS = `
  with owned as (
    select 'pg_database'::regclass as class, oid as object, format('database %I', datname) as name, 0 as place
    from pg_database where datname = current_database() and datdba = $1::regrole
    union all
    select 'pg_namespace'::regclass, oid, format('schema %I', nspname), 1
    from pg_namespace where nspowner = $1::regrole and nspname !~ '^pg_'
    union all
    select 'pg_class'::regclass, oid,
      format('%s %s', case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
        when 'f' then 'foreign table' when 'c' then 'type' else 'table' end, format('%s.%I', relnamespace::regnamespace, relname)), 2
    from pg_class
    where relowner = $1::regrole and relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'c')
      -- The sequence of a column follows its table.
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid
        and relkind = 'S' and refclassid = 'pg_class'::regclass and deptype in ('a', 'i'))
    union all
    select 'pg_type'::regclass, oid, format('%s %s.%I', case typtype when 'd' then 'domain' else 'type' end,
      typnamespace::regnamespace, typname), 3
    from pg_type where typowner = $1::regrole and typtype in ('e', 'd', 'r')
    union all
    select 'pg_proc'::regclass, oid, format('routine %s', oid::regprocedure), 4
    from pg_proc where proowner = $1::regrole
    union all
    select 'pg_statistic_ext'::regclass, oid, format('statistics %s.%I', stxnamespace::regnamespace, stxname), 5
    from pg_statistic_ext where stxowner = $1::regrole
    union all
    select 'pg_largeobject'::regclass, oid, format('large object %s', oid), 6
    from pg_largeobject_metadata where lomowner = $1::regrole
  )
  select format('alter %s owner to %I', name, $2::text) as statement from owned
  where object >= 16384
    and not exists (select from pg_depend where classid = class and objid = object and deptype = 'e')
  order by place, object`;

/** Transfers everything that one role owns in this database to another. Call it in a superuser's transaction. */
async function moveOwnership(client: pg.Client, from: string, to: string): Promise<void> {
  // Makes Postgres print every name with its schema.
  await client.query("set local search_path = pg_catalog");
  const { rows } = await client.query<{ statement: string }>(STATEMENTS, [from, to]);
  for (const { statement } of rows) await client.query(statement);
}
