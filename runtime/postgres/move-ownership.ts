import type pg from "pg";

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
export async function moveOwnership(client: pg.Client, from: string, to: string): Promise<void> {
  // Makes Postgres print every name with its schema.
  await client.query("set local search_path = pg_catalog");
  const { rows } = await client.query<{ statement: string }>(STATEMENTS, [from, to]);
  for (const { statement } of rows) await client.query(statement);
}
