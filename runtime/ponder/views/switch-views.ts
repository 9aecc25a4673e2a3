import type pg from "pg";
import { codeOf } from "../../../config/error-code.ts";
import { grantLock } from "../../../offchain/advisory-locks.ts";
import { statement } from "../../../offchain/connection.ts";
import { viewsSchema } from "../../../offchain/read-grants.ts";
import {
  createViews,
  readParkedViews,
  readViewsState,
  underViewsLock,
  type ViewSet,
} from "./create-views.ts";

/*
 * A transaction that has read a view keeps it locked until it ends, so replacing a view may take minutes. Renaming its schema
 * waits for nobody. So an upgrade creates spare views over the new index in advance, and the switch only renames schemas. Later,
 * once nobody is reading them, the original views are replaced and get their name back, and users' views over them follow.
 */

/** The schema of the original views while the spare ones have their name. */
const parkedName = `${viewsSchema}_parked`;
const spareName = (over: string) => `${viewsSchema}_over_${over}`;

/** Prepares views over a schema for {@link switchViews}, if there are any to switch. */
export async function prepareViews(client: pg.ClientBase, over: string): Promise<void> {
  await underViewsLock(client, async () => {
    const shown = await readViewsState(client);
    if (shown.is !== "ours" || shown.over === over) return;
    if ((await readParkedViews(client)).some((set) => set.over === over && set.isComplete)) return;
    const into = spareName(over);
    await client.query(statement`create schema if not exists ${into}`);
    await copySchemaGrants(client, viewsSchema, into);
    await createViews(client, { into, over, isSpare: true });
    await copyViewGrants(client, viewsSchema, into);
  });
}

/**
 * Switches the names of the views to those over a schema, within the transaction that makes that schema live. Returns false if
 * that was not possible; the views then follow as they do without an upgrade. It never fails the transaction.
 */
export async function switchViews(client: pg.ClientBase, over: string): Promise<boolean> {
  await client.query("savepoint views");
  try {
    await client.query("set local lock_timeout = '1s'");
    await client.query("select pg_advisory_xact_lock($1)", [grantLock]);
    const shown = await readViewsState(client);
    if (shown.is !== "ours") return true;
    if (shown.over === over) return true;
    const candidates = (await readParkedViews(client)).filter((set) => set.over === over);
    const next = candidates.find(({ isComplete }) => isComplete) ?? candidates[0];
    if (next === undefined) return false;
    await swapNames(client, shown, next);
    return true;
  } catch {
    await client.query("rollback to savepoint views");
    return false;
  }
}

async function swapNames(client: pg.ClientBase, shown: ViewSet, next: ViewSet): Promise<void> {
  const parked = shown.isSpare ? spareName(shown.over) : parkedName;
  await client.query(statement`alter schema ${viewsSchema} rename to ${parked}`);
  await client.query(statement`alter schema ${next.name} rename to ${viewsSchema}`);
}

/** Replaces the spare views with the original ones, over the same schema. Must run {@link underViewsLock}. */
export async function restoreOriginalViews(client: pg.ClientBase, shown: ViewSet): Promise<void> {
  const first = (await readParkedViews(client)).find(({ isSpare }) => !isSpare);
  await createViews(client, { into: first?.name ?? viewsSchema, over: shown.over, isSpare: false });
  if (first !== undefined) await swapNames(client, shown, first);
}

/** Drops a spare set, unless somebody created a view over it while it had the name. Must run {@link underViewsLock}. */
export async function dropSpareViews(client: pg.ClientBase, { name }: ViewSet): Promise<void> {
  const { rows } = await client.query<{ relname: string }>(
    "select relname from pg_class where relnamespace = $1::regnamespace and relkind = 'v'",
    [name],
  );
  await client.query("savepoint spare");
  try {
    for (const { relname } of rows) await client.query(statement`drop view ${name}.${relname}`);
    await client.query(statement`drop function ${name}.seconds(timestamptz)`);
    await client.query(statement`drop schema ${name}`);
  } catch (error) {
    const isUsed = codeOf(error) === "2BP01";
    if (!isUsed) throw error;
    await client.query("rollback to savepoint spare");
  }
}

/** Copies the grants of a schema to another: to use it, and to read tables that are created in it later. */
async function copySchemaGrants(client: pg.ClientBase, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `select format('grant %s on schema %I to %s', privilege_type, $2::text,
       case grantee when 0 then 'public' else grantee::regrole::text end) as change
     from pg_namespace, aclexplode(nspacl) where nspname = $1 and grantee <> nspowner
     union all
     select format('alter default privileges in schema %I grant %s on tables to %s', $2::text, privilege_type,
       case grantee when 0 then 'public' else grantee::regrole::text end)
     from pg_default_acl, aclexplode(defaclacl)
     where defaclnamespace = $1::regnamespace and defaclobjtype = 'r' and defaclrole = quote_ident(current_user)::regrole
       and grantee <> defaclrole`,
    [from, to],
  );
  for (const { change } of rows) await client.query(change);
}

/** Copies the grants of a schema's views to the views of the same names in another schema. */
async function copyViewGrants(client: pg.ClientBase, from: string, to: string): Promise<void> {
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
