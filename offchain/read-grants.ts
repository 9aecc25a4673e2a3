import type pg from "pg";
import { grantLock } from "./advisory-locks.ts";
import { statement } from "./statement.ts";

/** The tables that the API reads. Not `rate_limit`, which has clients' addresses. */
export const readableTables = [
  "registration",
  "registry",
  "image",
  "price_feed",
  "stream_event",
  "stream_state",
  "token_activity",
  "token_activity_state",
] as const;

/**
 * Lets a role read the on-chain tables of a schema, which is created if missing, and the off-chain tables of the API. Includes
 * tables that this connection's role creates in the schema later, as Ponder does for each new build.
 * May be called again, and by several processes at once. Throws the driver's error.
 */
export async function grantReads(owner: pg.ClientBase, reader: string, schema: string): Promise<void> {
  // Two grants on one table at the same time fail.
  await owner.query("select pg_advisory_lock($1)", [grantLock]);
  try {
    for (const grant of await missingGrants(owner, reader, schema)) await owner.query(grant);
  } finally {
    await owner.query("select pg_advisory_unlock($1)", [grantLock]);
  }
}

async function missingGrants(owner: pg.ClientBase, reader: string, schema: string): Promise<string[]> {
  const { rows } = await owner.query<{ known: boolean }>(
    "select exists (select from pg_namespace where nspname = $1) as known",
    [schema],
  );
  if (!rows[0]?.known) await owner.query(statement`create schema ${schema}`);

  const missing = await owner.query<{ grant: string }>(
    `select format('grant usage on schema %I to %I', nspname, $1::text) as grant
     from pg_namespace where nspname in ('offchain', $2) and not has_schema_privilege($1, oid, 'usage')
     union all
     select format('grant select on %I.%I to %I', nspname, relname, $1::text)
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'p', 'v', 'm') and not has_table_privilege($1, pg_class.oid, 'select')
       and (nspname = $2 or nspname = 'offchain' and relname = any($3))
     union all
     select format('alter default privileges in schema %I grant select on tables to %I', $2::text, $1::text)
     where not exists (
       select from pg_default_acl, aclexplode(defaclacl) as given
       where defaclrole = current_user::regrole and defaclnamespace = (select oid from pg_namespace where nspname = $2)
         and defaclobjtype = 'r' and given.grantee = $1::regrole and given.privilege_type = 'SELECT')`,
    [reader, schema, readableTables],
  );
  return missing.rows.map(({ grant }) => grant);
}
