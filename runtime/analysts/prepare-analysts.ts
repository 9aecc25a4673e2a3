import type pg from "pg";
import { onConnection } from "../../offchain/connection.ts";
import { analystReads, analystRole, grantReads, viewsSchema } from "../../offchain/read-grants.ts";
import { statement } from "../../offchain/statement.ts";
import { canWrite, NOT_ALLOWED, sessionOf } from "../ponder/read-role.ts";
import { sqlServerUrl } from "./choose-sql-server.ts";

export type AnalystOptions = {
  /** Connects as the owner of the tables. */
  url: string;
  /** Connects as the role that the service reads with, if there is one. */
  readUrl: string | undefined;
  /** Connects as the analysts' role, if its login is known. */
  analystUrl: string | undefined;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  /** Whether SQL over HTTP is served. */
  isSqlOn: boolean;
  log: (line: string) => void;
};

/**
 * Grants the analysts' role its tables, and returns the connection string that SQL over HTTP reads with, or undefined if /sql
 * stays off. Run it after the off-chain migrations, which create the role. A missing role or grant doesn't stop the start: it is
 * logged, with the SQL for an administrator to run.
 */
export async function prepareAnalysts(options: AnalystOptions): Promise<string | undefined> {
  const { url, readUrl, analystUrl, schema, isSqlOn, log } = options;
  return await onConnection(url, async (owner) => {
    const role = analystUrl === undefined ? analystRole : userName(analystUrl);
    if (!(await roleExists(owner, role))) {
      log(`warning: ${missingRole(role)}${isSqlOn ? "; until then /sql answers 503" : ""}`);
      return undefined;
    }
    const isShared = readUrl !== undefined && userName(readUrl) === role;
    await grantReads(owner, {
      role,
      schemas: schema === viewsSchema ? [schema] : [schema, viewsSchema],
      offchain: analystReads,
      // A role that the service also reads with needs more than these grants.
      isExact: !isShared && role === analystRole,
    }).catch((error: { code?: string; message: string }) => {
      if (error.code !== NOT_ALLOWED) throw error;
      log(
        `warning: ${role} can't be granted what analysts read (${error.message}): run this as the owner of the tables`,
      );
    });
    await grantConnect(owner, role);
    if (!isSqlOn) return undefined;
    if (isShared) {
      log(
        `warning: /sql answers 503, since the service itself reads as ${role}: give DATABASE_READ_URL a role of its own (docs/self-hosting.md has the SQL)`,
      );
      return undefined;
    }
    const sqlUrl = await sqlServerUrl(analystUrl ?? (await storedLogin(owner, url)), readUrl);
    if (sqlUrl === undefined) {
      log(
        `warning: /sql answers 503, since the password of ${role} is not known here: set DATABASE_SQL_URL (docs/analysts.md)`,
      );
      return undefined;
    }
    const problem = await findLoginProblem(sqlUrl, await sessionOf(owner), schema);
    if (problem === undefined) return sqlUrl;
    log(`warning: /sql answers 503, since the role ${role} ${problem}: see docs/analysts.md`);
    return undefined;
  });
}

const userName = (url: string) => decodeURIComponent(new URL(url).username);

async function roleExists(owner: pg.ClientBase, role: string): Promise<boolean> {
  const { rows } = await owner.query("select from pg_roles where rolname = $1", [role]);
  return rows.length > 0;
}

const missingRole = (role: string) =>
  `there is no role ${role} for analysts, and the role of DATABASE_URL may not create it. An administrator runs: ${statement`create role ${role} login`} password '...' connection limit 30; ${statement`alter role ${role} set default_transaction_read_only = on`}; ${statement`alter role ${role} set statement_timeout = '60s'`}; ${statement`alter role ${role} set work_mem = '16MB'`}; ${statement`alter role ${role} set temp_file_limit = '1GB'`}; -- then set DATABASE_SQL_URL and start again (docs/analysts.md)`;

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

const ignoreRefusal = (error: { code?: string }) => {
  if (error.code !== NOT_ALLOWED) throw error;
};

/** The login that this database's migration created, if it did. */
async function storedLogin(owner: pg.ClientBase, url: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ password: string }>(
    "select password from offchain.reader_login where role = $1",
    [analystRole],
  );
  const [login] = rows;
  if (login === undefined) return undefined;
  return Object.assign(new URL(url), { username: analystRole, password: login.password }).href;
}

/** Why untrusted statements must not run as this role; undefined if they may. */
async function findLoginProblem(
  sqlUrl: string,
  writer: Awaited<ReturnType<typeof sessionOf>>,
  schema: string,
): Promise<string | undefined> {
  try {
    return await onConnection(sqlUrl, async (client) => {
      const reader = await sessionOf(client);
      if (
        reader.database !== writer.database ||
        (reader.cluster && writer.cluster && reader.cluster !== writer.cluster)
      ) {
        return "is led to another database than DATABASE_URL by DATABASE_SQL_URL";
      }
      if (reader.role === writer.role) return "owns the tables";
      return (await canWrite(client, schema)) ? "can write" : undefined;
    });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `can't log in (${message || code})`;
  }
}
