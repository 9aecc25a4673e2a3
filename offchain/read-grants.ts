import type pg from "pg";
import { grantLock } from "./advisory-locks.ts";
import { statement } from "./connection.ts";

/** The role that people log in with, and their tools. */
export const analystRole = "launchpad_reader";

/**
 * The role that clients' SQL runs as. Only the service has its password: whoever logs in as a role may change its password, and
 * the defaults of its settings.
 */
export const sqlRole = "launchpad_sql";

/** The schema of the views for analysts. */
export const viewsSchema = "launchpad";

/** What a role may read in the schema `offchain`: whole tables, and single columns of other tables. */
export type OffchainReads = { tables: readonly string[]; columns: Record<string, readonly string[]> };

/** The tables that the API reads. It must not read `rate_limit`, which has clients' addresses. */
export const apiReads: OffchainReads = {
  tables: [
    "registration",
    "registration_history",
    "registry",
    "hidden_token",
    "hidden_registration",
    "image",
    "price_feed",
    "repair_request",
    "stream_event",
    "stream_state",
    "token_activity",
    "token_activity_state",
  ],
  columns: {},
};

/** The columns of registrations that the API shows: neither signatures nor internal ones. */
export const analystReads: OffchainReads = {
  tables: [],
  columns: {
    registration: [
      "chain_id",
      "mint",
      "name",
      "symbol",
      "creator",
      "burn_percent",
      "description",
      "image_url",
      "twitter_url",
      "telegram_url",
      "website_url",
      "verified",
      "registered_at",
    ],
  },
};

export type ReadGrants = {
  role: string;
  /** Schemas in which it reads every table, including ones created later. Missing schemas are created. */
  schemas: string[];
  offchain: OffchainReads;
  /** Whether to revoke everything else that it may read in `offchain`. */
  isExact?: boolean;
};

/**
 * Grants a role read access, including to tables that this connection's role creates later, as Ponder does for each new
 * build. Idempotent, and safe to call from several processes at once. Throws the driver's error.
 */
export async function grantReads(owner: pg.ClientBase, grants: ReadGrants): Promise<void> {
  // Concurrent grants on the same table would fail.
  await owner.query("select pg_advisory_lock($1)", [grantLock]);
  try {
    for (const change of await missingGrants(owner, grants)) await owner.query(change);
  } finally {
    await owner.query("select pg_advisory_unlock($1)", [grantLock]);
  }
}

async function missingGrants(
  owner: pg.ClientBase,
  { role, schemas, offchain: { tables, columns }, isExact = false }: ReadGrants,
): Promise<string[]> {
  const { rows: existing } = await owner.query<{ name: string }>(
    "select nspname as name from pg_namespace where nspname = any($1)",
    [schemas],
  );
  for (const schema of schemas) {
    if (!existing.some(({ name }) => name === schema)) await owner.query(statement`create schema ${schema}`);
  }

  const columnTables = Object.entries(columns).flatMap(([table, names]) => names.map(() => table));
  const columnNames = Object.values(columns).flat();
  const missing = await owner.query<{ change: string }>(
    `with relations as (
       select pg_class.oid, nspname, relname, relacl,
         nspname = any($2) or nspname = 'offchain' and relname = any($3) as readable
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p', 'v', 'm') and (nspname = any($2) or nspname = 'offchain')
     )
     select 1 as step, format('grant usage on schema %I to %I', nspname, $1::text) as change
     from pg_namespace where (nspname = 'offchain' or nspname = any($2)) and not has_schema_privilege($1, oid, 'usage')
     union all
     select 2, format('revoke all on %I.%I from %I', nspname, relname, $1::text)
     from relations, aclexplode(relacl) as given
     where $6 and not readable and given.grantee = quote_ident($1)::regrole
     union all
     select 3, format('grant select on %I.%I to %I', nspname, relname, $1::text)
     from relations where readable and not has_table_privilege($1, oid, 'select')
     union all
     select 3, format('grant select (%I) on %I.%I to %I', attname, nspname, relname, $1::text)
     from relations join unnest($4::text[], $5::text[]) as wanted (tab, attname) on tab = relname
     where nspname = 'offchain'
       and (not has_column_privilege($1, oid, attname, 'select')
         -- Step 2 takes the columns with the table.
         or $6 and exists (select from aclexplode(relacl) as given where given.grantee = quote_ident($1)::regrole))
     union all
     select 3, format('alter default privileges in schema %I grant select on tables to %I', nspname, $1::text)
     from pg_namespace where nspname = any($2) and not exists (
       select from pg_default_acl, aclexplode(defaclacl) as given
       where defaclrole = quote_ident(current_user)::regrole and defaclnamespace = pg_namespace.oid
         and defaclobjtype = 'r' and given.grantee = quote_ident($1)::regrole and given.privilege_type = 'SELECT')
     order by step`,
    [role, schemas, tables, columnTables, columnNames, isExact],
  );
  return missing.rows.map(({ change }) => change);
}
