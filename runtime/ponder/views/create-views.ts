import { createHash } from "node:crypto";
import pg from "pg";
import { grantLock } from "../../../offchain/advisory-locks.ts";
import { inTransaction } from "../../../offchain/connection.ts";
import { viewsSchema } from "../../../offchain/read-grants.ts";
import { literal, statement } from "../../../offchain/statement.ts";
import type { View } from "./view.ts";
import { views } from "./views.ts";

/** Postgres can't replace a view by one with other columns. */
const otherColumns = "42P16";

/** Creates the views over the tables of this schema, in place of those over another, in one transaction. */
export async function createViews(client: pg.ClientBase, schema: string): Promise<void> {
  await inTransaction(client, async () => {
    // Who reads a view for long must not have everyone else wait behind us: the next attempt may find a gap.
    await client.query("set local lock_timeout = '3s'");
    await client.query("set local search_path = pg_catalog");
    // A start that grants creates the schema too, and changes the same rows of the catalog.
    await client.query("select pg_advisory_xact_lock($1)", [grantLock]);
    await client.query(statement`create schema if not exists ${viewsSchema}`);
    await client.query(secondsFunction);
    await client.query(secondsComment);
    for (const view of views) await replaceView(client, view, schema);
    await client.query(statement`comment on schema ${viewsSchema} is ${literal(schemaComment(schema))}`);
  });
}

const secondsFunction = `create or replace function ${viewsSchema}.seconds(timestamptz) returns int8
  language sql stable strict parallel safe
  return floor(extract(epoch from $1))::int8`;
const secondsComment = `comment on function ${viewsSchema}.seconds(timestamptz) is
  'Seconds since 1970, for comparisons with the columns that end in timestamp: where timestamp >= launchpad.seconds(''2026-11-01'')'`;

async function replaceView(client: pg.ClientBase, view: View, schema: string): Promise<void> {
  const name = `${viewsSchema}.${view.name}`;
  const text = definition(view, schema);
  await client.query("savepoint one_view");
  try {
    await client.query(text);
  } catch (error) {
    if ((error as { code?: string }).code !== otherColumns) throw error;
    await client.query("rollback to savepoint one_view");
    await client.query(statement`drop view ${viewsSchema}.${view.name} cascade`);
    await client.query(text);
  }
  const comments = Object.entries(view.columns).map(
    ([column, [, comment]]) =>
      `comment on column ${name}.${pg.escapeIdentifier(column)} is ${pg.escapeLiteral(comment)}`,
  );
  const all = [`comment on view ${name} is ${pg.escapeLiteral(view.comment)}`, ...comments].join(";");
  await client.query(all);
}

function definition({ name, columns, from }: View, schema: string): string {
  const selected = Object.entries(columns).map(
    ([column, [expression]]) => `${expression} as ${pg.escapeIdentifier(column)}`,
  );
  const text = `create or replace view ${viewsSchema}.${name} as select ${selected.join(",\n  ")} from ${from}`;
  return text.replaceAll(/\bonchain\./g, `${pg.escapeIdentifier(schema)}.`);
}

const version = createHash("sha256").update(JSON.stringify(views)).digest("hex").slice(0, 12);
const schemaComment = (schema: string) =>
  `Views for analysts over the schema ${schema}, definition ${version}`;

/** What the schema of the views holds. */
export type ViewsState =
  | { is: "missing" }
  /** A schema of this name that isn't ours. */
  | { is: "foreign" }
  | { is: "ours"; over: string; isWhole: boolean };

/** Reads over which schema the views are, and whether all of them are there, as they are defined now. */
export async function readViewsState(client: pg.ClientBase): Promise<ViewsState> {
  const { rows } = await client.query<{ comment: string | null; found: string; others: string }>(
    `select obj_description(pg_namespace.oid, 'pg_namespace') as comment,
       count(*) filter (where relkind = 'v' and relname = any($2)) as found,
       count(relname) filter (where relkind <> 'v' or relname <> all($2)) as others
     from pg_namespace left join pg_class on relnamespace = pg_namespace.oid
     where nspname = $1 group by pg_namespace.oid`,
    [viewsSchema, views.map(({ name }) => name)],
  );
  const [row] = rows;
  if (row === undefined) return { is: "missing" };
  const [, over, made] =
    /^Views for analysts over the schema (\S+), definition (\w+)$/.exec(row.comment ?? "") ?? [];
  // Grants create it empty.
  if (over === undefined)
    return Number(row.found) + Number(row.others) === 0 ? { is: "missing" } : { is: "foreign" };
  return { is: "ours", over, isWhole: Number(row.found) === views.length && made === version };
}
