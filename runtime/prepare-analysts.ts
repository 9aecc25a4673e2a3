import type pg from "pg";
import { loginOf, readerUrlOnPrimary, withLogin } from "../config/database.ts";
import { reasonOf } from "../config/error-code.ts";
import { onConnection, statement } from "../offchain/connection.ts";
import { analystReads, analystRole, grantReads, sqlRole, viewsSchema } from "../offchain/read-grants.ts";
import { readWalPosition } from "../offchain/wal-position.ts";
import { mixesSessions } from "./checks/sessions.ts";
import {
  canWrite,
  ignoreRefusal,
  isSameDatabase,
  NOT_ALLOWED,
  type Session,
  sessionOf,
} from "./ponder/read-role.ts";
import { readViewsState } from "./ponder/views/create-views.ts";

export type AnalystOptions = {
  /** Connects as the owner of the tables. */
  url: string;
  /** Connects as the role that the service reads with, if there is one. */
  readUrl: string | undefined;
  /** Connects as the role that clients' SQL runs as, if its login is configured. */
  sqlUrl: string | undefined;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  /** Whether SQL over HTTP is served. */
  isSqlOn: boolean;
  log: (line: string) => void;
};

/**
 * Grants the analysts' role and the role of SQL over HTTP their tables, and returns the connection string of the latter, or undefined
 * if /sql stays off. Run it after the off-chain migrations, which create the first role; without a configured login, this creates the
 * second. A missing role or grant doesn't stop the start: it is logged, with the SQL for an administrator to run.
 */
export async function prepareAnalysts(options: AnalystOptions): Promise<string | undefined> {
  const { url, readUrl, schema, isSqlOn, log } = options;
  return await onConnection(url, async (owner) => {
    if (await roleExists(owner, analystRole)) {
      await grantTo(owner, analystRole, options);
      // So that the owner can end people's sessions.
      await owner.query(statement`grant ${analystRole} to current_user`).catch(ignoreRefusal);
    } else if (options.sqlUrl === undefined) log(`warning: ${missingRole(analystRole)}`);

    const login = options.sqlUrl ?? (isSqlOn ? await ownLogin(owner, url) : undefined);
    const sqlUrl = isSqlOn ? await sqlServerUrl(login, readUrl) : login;
    const role = sqlUrl === undefined ? sqlRole : loginOf(sqlUrl).user;
    const isMissing = !(await roleExists(owner, role));
    if (!isMissing && role !== analystRole) await grantTo(owner, role, options);
    if (!isSqlOn) return undefined;
    const refuse = (reason: string) => {
      log(`warning: /sql answers 503, since ${reason}`);
      return undefined;
    };
    if (isMissing) return refuse(missingRole(role));
    if (sqlUrl === undefined) {
      return refuse(`the password of ${role} is not known here: set DATABASE_SQL_URL (docs/analysts.md)`);
    }
    if (isReadRole(role, readUrl)) {
      return refuse(
        `the service itself reads as ${role}: give DATABASE_READ_URL a role of its own (docs/self-hosting.md has the SQL)`,
      );
    }
    const problem = await findLoginProblem(sqlUrl, await sessionOf(owner), schema);
    return problem === undefined ? sqlUrl : refuse(`the role ${role} ${problem}: see docs/analysts.md`);
  });
}

const isReadRole = (role: string, readUrl: string | undefined) =>
  readUrl !== undefined && loginOf(readUrl).user === role;

/** Grants a role what analysts read. */
async function grantTo(
  owner: pg.ClientBase,
  role: string,
  { readUrl, schema, log }: AnalystOptions,
): Promise<void> {
  // A schema of that name may be another program's, whose tables are nobody's business.
  const hasViews = schema !== viewsSchema && (await readViewsState(owner)).is !== "foreign";
  await grantReads(owner, {
    role,
    schemas: hasViews ? [schema, viewsSchema] : [schema],
    offchain: analystReads,
    // A role that the service also reads with needs more than these grants.
    isExact: (role === analystRole || role === sqlRole) && !isReadRole(role, readUrl),
  }).catch((error: { code?: string; message: string }) => {
    if (error.code !== NOT_ALLOWED) throw error;
    log(
      `warning: ${role} can't be granted what analysts read (${error.message}): run this as the owner of the tables`,
    );
  });
  await grantConnect(owner, role);
}

async function roleExists(owner: pg.ClientBase, role: string): Promise<boolean> {
  const { rows } = await owner.query("select from pg_roles where rolname = $1", [role]);
  return rows.length > 0;
}

const missingRole = (role: string) =>
  `there is no role ${role} for ${role === analystRole ? "analysts" : "clients' SQL"}, and the role of DATABASE_URL may not create it. An administrator runs: ${statement`create role ${role} login`} password '...' connection limit 30; ${statement`alter role ${role} set default_transaction_read_only = on`}; ${statement`alter role ${role} set statement_timeout = '60s'`}; ${statement`alter role ${role} set work_mem = '16MB'`}; ${statement`alter role ${role} set temp_file_limit = '1GB'`}; ${statement`alter role ${role} set log_min_messages = 'log'`}; -- then set DATABASE_SQL_URL and start again (docs/analysts.md)`;

/** Grants the right to connect, in databases where PUBLIC doesn't have it. */
async function grantConnect(owner: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await owner.query<{ grant: string }>(
    `select format('grant connect on database %I to %I', current_database(), $1::text) as grant
     where not has_database_privilege($1, current_database(), 'connect')`,
    [role],
  );
  // The owner of the tables may not own the database. If the grant is refused, the login below says so.
  for (const { grant } of rows) await owner.query(grant).catch(ignoreRefusal);
}

/**
 * The login for clients' SQL that this database keeps: of a role of its own, which is created if it may be, or else of the
 * analysts', as in earlier versions.
 */
async function ownLogin(owner: pg.ClientBase, url: string): Promise<string | undefined> {
  await owner.query(createSqlRole);
  const { rows } = await owner.query<{ role: string; password: string }>(
    `select role, password from offchain.reader_login join pg_roles on rolname = role
     where role = any($1) order by role = $2 desc`,
    [[sqlRole, analystRole], sqlRole],
  );
  const [login] = rows;
  if (login === undefined) return undefined;
  return withLogin(url, { user: login.role, password: login.password });
}

/**
 * Creates the role with a password of its own, or with the known one if this database was restored on another server. Roles belong to
 * the whole server: one that exists keeps its password. A session for clients sets its limits itself, except temp_file_limit and which
 * messages are logged, which only a superuser may set: those of errors have values of any size.
 */
const createSqlRole = `
  do $$
  declare secret text := coalesce(
    (select password from offchain.reader_login where role = '${sqlRole}'),
    replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
  begin
    if exists (select from pg_roles where rolname = '${sqlRole}') then return; end if;
    execute format('create role ${sqlRole} login connection limit 30 password %L', secret);
    insert into offchain.reader_login values ('${sqlRole}', secret) on conflict do nothing;
    execute 'alter role ${sqlRole} set default_transaction_read_only = on';
    begin
      execute 'alter role ${sqlRole} set temp_file_limit = ''1GB''';
    exception when insufficient_privilege then null;
    end;
    begin
      execute 'alter role ${sqlRole} set log_min_messages = log';
    exception when insufficient_privilege then null;
    end;
  exception when insufficient_privilege or duplicate_object or unique_violation then null;
  end $$`;

/** Why untrusted statements must not run as this role; undefined if they may. */
async function findLoginProblem(
  sqlUrl: string,
  writer: Session,
  schema: string,
): Promise<string | undefined> {
  try {
    return await onConnection(sqlUrl, async (client) => {
      const reader = await sessionOf(client);
      if (!isSameDatabase(reader, writer)) {
        return "is led to another database than DATABASE_URL by DATABASE_SQL_URL";
      }
      if (reader.role === writer.role) return "owns the tables";
      if (await mixesSessions(sqlUrl)) return "is behind a connection pool in transaction mode";
      return (await canWrite(client, schema)) ? "can write" : undefined;
    });
  } catch (error) {
    return `can't log in (${reasonOf(error)})`;
  }
}

type SqlServerOptions = {
  /** The setting SQL; undefined: only where reads go to a replica. */
  isSqlOn: boolean | undefined;
  /** Connects as the role that the service reads with, if there is one. */
  readUrl: string | undefined;
};

/**
 * Decides whether `npm start` and `npm run serve` run clients' SQL. Without the setting they do so only on a replica, where a
 * statement can't slow down what indexes.
 */
export async function servesSql({ isSqlOn, readUrl }: SqlServerOptions): Promise<boolean> {
  return isSqlOn ?? (await isReplica(readUrl));
}

/**
 * The connection string for clients' SQL: the login of `sqlUrl`, on the replica of `readUrl` if that is one. `sqlUrl` may lead to
 * another replica.
 */
export async function sqlServerUrl(
  sqlUrl: string | undefined,
  readUrl: string | undefined,
): Promise<string | undefined> {
  if (sqlUrl === undefined || readUrl === undefined) return sqlUrl;
  if (!(await isReplica(readUrl)) || (await isReplica(sqlUrl).catch(leftAsItIs))) return sqlUrl;
  return readerUrlOnPrimary(readUrl, sqlUrl);
}

/** A login that fails is reported, with the reason, when it is checked. */
const leftAsItIs = () => true;

async function isReplica(url: string | undefined): Promise<boolean> {
  return url !== undefined && (await onConnection(url, readWalPosition)).isReplica;
}
