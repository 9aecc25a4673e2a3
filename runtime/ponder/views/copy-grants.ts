import type pg from "pg";

/** Copies the grants of a schema to another: to use it, and to read tables that are created in it later. */
export async function copySchemaGrants(client: pg.ClientBase, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `select format('grant %s on schema %I to %s', privilege_type, $2::text,
       case grantee when 0 then 'public' else grantee::regrole::text end) as change
     from pg_namespace, aclexplode(nspacl) where nspname = $1 and grantee <> nspowner
     union all
     select format('alter default privileges in schema %I grant %s on tables to %s', $2::text, privilege_type,
       case grantee when 0 then 'public' else grantee::regrole::text end)
     from pg_default_acl, aclexplode(defaclacl)
     where defaclnamespace = $1::regnamespace and defaclobjtype = 'r' and defaclrole = current_user::regrole
       and grantee <> defaclrole`,
    [from, to],
  );
  for (const { change } of rows) await client.query(change);
}

/** Copies the grants of a schema's views to the views of the same names in another schema. */
export async function copyViewGrants(client: pg.ClientBase, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `select format('grant %s on %I.%I to %s', privilege_type, $2::text, pg_class.relname,
       case grantee when 0 then 'public' else grantee::regrole::text end) as change
     from pg_class join pg_class copy on copy.relname = pg_class.relname and copy.relnamespace = $2::regnamespace,
       aclexplode(pg_class.relacl)
     where pg_class.relnamespace = $1::regnamespace and pg_class.relkind = 'v' and grantee <> pg_class.relowner`,
    [from, to],
  );
  for (const { change } of rows) await client.query(change);
}
