import type pg from "pg";
import { waitUntil } from "../../config/async.ts";
import { readerUrlOnPrimary } from "../../config/database.ts";
import { codeOf, reasonOf } from "../../config/error-code.ts";
import { onConnection, statement } from "../../offchain/connection.ts";
import { apiReads, grantReads } from "../../offchain/read-grants.ts";
import { readWalPosition } from "../../offchain/wal-position.ts";
import { assertDates, assertSessions } from "../checks/sessions.ts";
import { StartError } from "../start-error.ts";

type ReadRoleOptions = {
  url: string;
  /** Undefined: reads use the same role as writes. */
  readUrl: string | undefined;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  log: (line: string) => void;
};

export type Session = { role: string; database: string; superuser: boolean; cluster: string | undefined };

/** The SQLSTATE insufficient_privilege. */
export const NOT_ALLOWED = "42501";

/** For a statement that this role needn't be allowed to run. */
export function ignoreRefusal(error: unknown): void {
  if (codeOf(error) !== NOT_ALLOWED) throw error;
}

/**
 * Grants the read role access to its tables, including those that Ponder has yet to create, and checks that it can read. Run it
 * after the off-chain migrations. Throws a StartError if the role can't read this database, or its URL leads to a server that is
 * neither this one nor a replica of it.
 */
export async function prepareReads({ url, readUrl, schema, log }: ReadRoleOptions): Promise<void> {
  await onConnection(url, async (owner) => {
    const writer = await sessionOf(owner);
    if (writer.superuser) {
      log(
        `warning: the role ${writer.role} of DATABASE_URL is a superuser, which the service doesn't need: give it a role of its own (docs/self-hosting.md has the SQL)`,
      );
    }
    if (readUrl === undefined) return;
    await withReader(readUrl, async (client) => {
      const reader = await sessionOf(client);
      if (!isSameDatabase(reader, writer)) {
        throw new StartError(
          "DATABASE_READ_URL leads to another database than DATABASE_URL: set it to the same one, or to a replica of that",
        );
      }
      await assertSessions(readUrl, "DATABASE_READ_URL");
      await assertDates(client, "DATABASE_READ_URL");
      if (reader.role !== writer.role) {
        // Another role may own the tables and have granted access already.
        const grants = { role: reader.role, schemas: [schema], offchain: apiReads };
        await grantReads(owner, grants).catch(ignoreRefusal);
      }
      if (await checkReplica({ url, readUrl, owner, reader: client })) {
        await assertReads(client, reader.role, schema);
      } else {
        log(
          "warning: the replica of DATABASE_READ_URL is behind: reads go to the primary until it has caught up",
        );
        await onConnection(readerUrlOnPrimary(url, readUrl), (primary) =>
          assertReads(primary, reader.role, schema),
        );
      }
      if (await canWrite(client, schema)) {
        log(
          `warning: the role ${reader.role} of DATABASE_READ_URL can write: give reads a role that can't (docs/self-hosting.md has the SQL)`,
        );
      }
    });
  });
}

async function withReader(readUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  await onConnection(readUrl, work).catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_READ_URL can't be used (${reasonOf(error)}): check it`, {
      cause: error,
    });
  });
}

/** Reads which role is connected, and to which database and cluster. */
export async function sessionOf(client: pg.Client): Promise<Session> {
  const { rows } = await client.query(
    `select current_user as role, current_database() as database, rolsuper as superuser
     from pg_roles where rolname = current_user`,
  );
  // Some hosted servers don't allow this call.
  const cluster = await client.query("select system_identifier::text as id from pg_control_system()").then(
    (result) => result.rows[0]?.id,
    () => undefined,
  );
  return { ...rows[0], cluster };
}

/** Whether two roles are connected to one database, or to one and a replica of it, as far as the servers tell. */
export function isSameDatabase(reader: Session, writer: Session): boolean {
  const isSameCluster = !reader.cluster || !writer.cluster || reader.cluster === writer.cluster;
  return reader.database === writer.database && isSameCluster;
}

async function assertReads(client: pg.Client, role: string, schema: string): Promise<void> {
  const { rows } = await client.query<{ indexed: boolean }>(
    `select exists (select from pg_class where relname = '_ponder_meta' and relnamespace = to_regnamespace($1)) as indexed`,
    [statement`${schema}`],
  );
  const tables = apiReads.tables.map((table) => ["offchain", table] as const);
  for (const [inSchema, table] of rows[0]?.indexed
    ? [...tables, [schema, "_ponder_meta"] as const]
    : tables) {
    await client.query(statement`select from ${inSchema}.${table} limit 0`).catch((error: Error) => {
      throw new StartError(
        `the role ${role} of DATABASE_READ_URL can't read ${inSchema}.${table} (${error.message}): grant it as docs/self-hosting.md says`,
        { cause: error },
      );
    });
  }
}

/** Whether the connected role can write, read files or run programs. */
export async function canWrite(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ writes: boolean }>(
    `select rolsuper or has_database_privilege(current_database(), 'create')
       or exists (select from unnest(array['pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program']) as "group"
         where to_regrole("group") is not null and pg_has_role("group", 'member'))
       or exists (select from pg_namespace where nspname in ('offchain', $1) and has_schema_privilege(oid, 'create'))
       or exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
         where nspname in ('offchain', $1) and relkind in ('r', 'p')
           and has_table_privilege(pg_class.oid, 'insert, update, delete, truncate')) as writes
     from pg_roles where rolname = current_user`,
    [schema],
  );
  return rows[0]?.writes ?? true;
}

type ReplicaOptions = {
  url: string;
  readUrl: string;
  /** Connected to `url`. */
  owner: pg.ClientBase;
  /** Connected to `readUrl`. */
  reader: pg.ClientBase;
  /** Milliseconds that the replica has to replay everything written so far. */
  patienceMs?: number;
};

/**
 * Checks the server that reads go to, if it isn't the one that writes go to. Throws a StartError unless it is a replica and the
 * reader may log in to the primary too. Resolves to whether it has everything written so far, after giving it time to catch up.
 */
export async function checkReplica({
  url,
  readUrl,
  owner,
  reader,
  patienceMs = 10_000,
}: ReplicaOptions): Promise<boolean> {
  const written = await readWalPosition(owner);
  const read = await readWalPosition(reader);
  if (read.server === written.server) return true;
  if (!read.isReplica) {
    throw new StartError(
      "DATABASE_READ_URL leads to a server of its own, which is no replica of the one of DATABASE_URL: set it to that one, or to a streaming replica of it",
    );
  }
  await onConnection(readerUrlOnPrimary(url, readUrl), (client) => client.query("select")).catch(
    (error: unknown) => {
      throw new StartError(
        `the server of DATABASE_URL doesn't let in the role of DATABASE_READ_URL (${reasonOf(error)}), as which the service reads there while the replica is behind or away: allow it in the primary's pg_hba.conf`,
        { cause: error },
      );
    },
  );
  const hasAll = async () => ((await readWalPosition(reader)).reached ?? 0) >= (written.reached ?? 0);
  return await waitUntil(hasAll, { forMs: patienceMs });
}
