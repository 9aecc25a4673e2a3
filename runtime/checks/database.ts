import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { loginOf } from "../../config/database.ts";
import { codeOf, reasonOf } from "../../config/error-code.ts";
import { onConnection } from "../../offchain/connection.ts";
import { migrateOffchain } from "../../offchain/migrate.ts";
import type { Log } from "../log/log.ts";
import { adviceOnDatabase, StartError } from "../start-error.ts";
import { assertDates, assertSessions } from "./sessions.ts";

type Urls = {
  url: string;
  /** Undefined if reads use the same role as writes. */
  readUrl: string | undefined;
};

/** Migrates the database. Throws a StartError if it can't be used, and logs if it has too few connections for `npm run <command>`, or ends those that it should keep. */
export async function prepareDatabase(
  { url, readUrl }: Urls,
  command: ServiceCommand,
  { log }: { log: Log },
): Promise<void> {
  await migrate(url, { log });
  await assertSessions(url, "DATABASE_URL");
  const warnings = await onConnection(url, async (client) => {
    await assertDates(client, "DATABASE_URL");
    return [
      await encodingWarning(client),
      await connectionsWarning(client, command),
      await limitsWarning(client, { command, readUrl }),
      await timeoutsWarning(client),
      await temporaryTablesWarning(client),
    ];
  });
  for (const warning of warnings) if (warning !== undefined) log(warning);
}

/**
 * The most connections to Postgres that each process opens: Ponder's pools, the API's with those of alerts, the gate's, and a few of its
 * own. Of these, reads use the role of DATABASE_READ_URL, and clients' SQL has one of its own.
 */
const most = { start: { all: 80, reads: 27, sql: 4 }, serve: { all: 74, reads: 46, sql: 4 } };

export type ServiceCommand = keyof typeof most;

/** Counts connections of all processes that there are at least: `serve` never runs without a `start`. */
const neededFor = (command: ServiceCommand, count: (of: (typeof most)[ServiceCommand]) => number) =>
  count(most.start) + (command === "serve" ? count(most.serve) : 0);

/** A warning if Postgres has fewer connections than the service may open, otherwise undefined. */
export async function connectionsWarning(
  client: pg.ClientBase,
  command: ServiceCommand,
): Promise<string | undefined> {
  const { rows } = await client.query<{ max: number; reserved: number }>(
    // Postgres has the second kind of reserved connections since version 16.
    `select current_setting('max_connections')::int as max,
            current_setting('superuser_reserved_connections')::int
              + coalesce(current_setting('reserved_connections', true), '0')::int as reserved`,
  );
  return rows[0] && describeShortage(rows[0], command);
}

export function describeShortage(
  { max, reserved }: { max: number; reserved: number },
  command: ServiceCommand,
): string | undefined {
  const needed = neededFor(command, ({ all }) => all);
  if (max - reserved >= needed) return undefined;
  const enough = Math.ceil((needed + reserved) / 50) * 50;
  return `warning: Postgres has ${max - reserved} connections for this service (max_connections = ${max}, of which ${reserved} are reserved), and npm start may open ${most.start.all}, each npm run serve ${most.serve.all}: set max_connections to ${enough} or more, and ${most.serve.all} more for each further process`;
}

/** A warning if the roles, or the database, have a limit of fewer connections than the service may open, otherwise undefined. */
export async function limitsWarning(
  client: pg.ClientBase,
  { command, readUrl }: { command: ServiceCommand; readUrl: string | undefined },
): Promise<string | undefined> {
  // -1 is no limit, and none holds for superusers.
  const { rows } = await client.query<{
    kind: "writer" | "reader" | "database";
    limit: number;
    name: string;
  }>(
    `select case rolname when current_user then 'writer' else 'reader' end as kind, rolconnlimit as limit,
       'role ' || quote_ident(rolname) as name
     from pg_roles where rolname in (current_user, $1) and not rolsuper
     union all
     select 'database', datconnlimit, 'database ' || quote_ident(datname) from pg_database, pg_roles
     where datname = current_database() and rolname = current_user and not rolsuper
     order by kind desc`,
    [readUrl === undefined ? null : loginOf(readUrl).user],
  );
  const hasReader = rows.some(({ kind }) => kind === "reader");
  const needed = {
    writer: neededFor(command, ({ all, reads, sql }) => all - sql - (hasReader ? reads : 0)),
    reader: neededFor(command, ({ reads }) => reads),
    database: neededFor(command, ({ all }) => all),
  };
  const low = rows.filter(({ kind, limit }) => limit !== -1 && limit < needed[kind]);
  if (low.length === 0) return undefined;
  const said = low.map(
    ({ kind, limit, name }) => `${limit} for the ${name}, where the service may need ${needed[kind]}`,
  );
  const raised = low.map(
    ({ kind, name }) => `alter ${name} connection limit ${Math.ceil(needed[kind] / 50) * 50};`,
  );
  return `warning: Postgres limits connections to ${said.join(", and to ")} (more with each further npm run serve): ${raised.join(" ")}`;
}

/** A warning if the database ends idle connections or long statements of its own accord, otherwise undefined. */
export async function timeoutsWarning(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string; value: string; role: string }>(
    `select name, current_setting(name) as value, quote_ident(current_user) as role from pg_settings
     where setting <> '0' and name in ('idle_session_timeout', 'idle_in_transaction_session_timeout', 'statement_timeout',
       'transaction_timeout', 'lock_timeout') order by name`,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const set = rows.map(({ name, value }) => `${name} = ${value}`).join(", ");
  const unset = rows.map(({ name }) => `alter role ${first.role} set ${name} = 0;`).join(" ");
  return `warning: Postgres has ${set} for the role of DATABASE_URL, which closes connections that wait for their next use, or ends what takes long, such as creating indexes: ${unset}`;
}

/**
 * A warning if the database knows no characters, otherwise undefined. Throws a StartError if it can't hold all of them: the first name in
 * other letters would end indexing for good.
 */
export async function encodingWarning(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  const [{ encoding } = { encoding: "UTF8" }] = rows;
  if (encoding === "UTF8") return undefined;
  const advice =
    "create another one (create database launchpad owner launchpad encoding 'UTF8' template template0), to which npm run backup and npm run restore move registrations";
  if (encoding === "SQL_ASCII")
    return `warning: the database of DATABASE_URL has the encoding SQL_ASCII, in which searches don't find names in other than English letters: ${advice}`;
  throw new StartError(
    `the database of DATABASE_URL has the encoding ${encoding}, which lacks letters that names of tokens may have: ${advice}`,
    { code: "unsupported" },
  );
}

/** A warning if the role may not create temporary tables, through which many rows are updated at once, otherwise undefined. */
export async function temporaryTablesWarning(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ change: string }>(
    `select format('grant temporary on database %I to %I', current_database(), current_user) as change
     where not has_database_privilege(current_database(), 'temporary')`,
  );
  return (
    rows[0] &&
    `warning: the role of DATABASE_URL may not create temporary tables, without which a first sync fails: ${rows[0].change};`
  );
}

type MigrateOptions = {
  log: (line: string) => void;
  /** Ends the wait for a server that starts, which then rejects with the signal's reason. */
  signal?: AbortSignal;
};

/** The SQLSTATE of a server that starts, or recovers from a crash: it will be there without anyone's help. */
const CANNOT_CONNECT_NOW = "57P03";
const maxWaitMs = 300_000;
const pauseMs = 500;

/** Runs the off-chain migrations, once the server is up if it is starting. Throws a StartError if the database can't be used. */
export async function migrate(databaseUrl: string, { log, signal }: MigrateOptions): Promise<void> {
  const began = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await migrateOffchain(databaseUrl);
    } catch (error) {
      if (codeOf(error) !== CANNOT_CONNECT_NOW || performance.now() - began > maxWaitMs) {
        throw new StartError(
          adviceOnDatabase(error) ??
            `the database ${withoutPassword(databaseUrl)} can't be used (${reasonOf(error)}): check DATABASE_URL, that Postgres runs, and that its user may create schemas`,
          { cause: error },
        );
      }
      if (isFirst) log(`waiting for the database (${reasonOf(error)})`);
      await delay(pauseMs, undefined, { signal });
    }
  }
}

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password) url.password = "…";
  if (url.searchParams.has("password")) url.searchParams.set("password", "…");
  return decodeURI(url.href);
}
