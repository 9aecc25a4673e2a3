import pg from "pg";
import { viewsSchema } from "../../../offchain/read-grants.ts";
import { literal, statement } from "../../../offchain/statement.ts";
import type { View } from "./view.ts";
import { viewsComment } from "./view-sets.ts";
import { views } from "./views.ts";

/** The SQLSTATE with which Postgres refuses to replace a view by one with other columns. */
const CHANGED_COLUMNS = "42P16";

export type ViewsOptions = {
  /** The schema of the views. */
  into: string;
  /** The schema of the tables. */
  over: string;
  /** Whether it stands in for the original one, which users may have created views over. */
  isSpare: boolean;
};

/** Creates the views over the tables of a schema, replacing any over another. Must run {@link underViewsLock}. */
export async function createViews(
  client: pg.ClientBase,
  { into, over, isSpare }: ViewsOptions,
): Promise<void> {
  await client.query(statement`create schema if not exists ${into}`);
  await client.query(
    statement`create or replace function ${into}.seconds(timestamptz) returns int8
      language sql stable strict parallel safe
      return floor(extract(epoch from $1))::int8`,
  );
  await client.query(
    statement`comment on function ${into}.seconds(timestamptz) is ${literal(secondsComment)}`,
  );
  for (const view of views) await replaceView(client, view, { into, over });
  await client.query(
    statement`comment on schema ${into} is ${literal(viewsComment(isSpare ? "Spare views" : "Views", over))}`,
  );
}

const secondsComment = `Seconds since 1970, for comparisons with the columns that end in timestamp: where timestamp >= ${viewsSchema}.seconds('2026-11-01')`;

async function replaceView(
  client: pg.ClientBase,
  view: View,
  { into, over }: { into: string; over: string },
): Promise<void> {
  const name = `${pg.escapeIdentifier(into)}.${pg.escapeIdentifier(view.name)}`;
  const text = definition(view, name, over);
  await client.query("savepoint one_view");
  try {
    await client.query(text);
  } catch (error) {
    if ((error as { code?: string }).code !== CHANGED_COLUMNS) throw error;
    await client.query("rollback to savepoint one_view");
    await client.query(statement`drop view ${into}.${view.name} cascade`);
    await client.query(text);
  }
  const comments = Object.entries(view.columns).map(
    ([column, [, comment]]) =>
      `comment on column ${name}.${pg.escapeIdentifier(column)} is ${pg.escapeLiteral(comment)}`,
  );
  const all = [`comment on view ${name} is ${pg.escapeLiteral(view.comment)}`, ...comments].join(";");
  await client.query(all);
}

function definition({ columns, from }: View, name: string, over: string): string {
  const selected = Object.entries(columns).map(
    ([column, [expression]]) => `${expression} as ${pg.escapeIdentifier(column)}`,
  );
  const body = `select ${selected.join(",\n  ")} from ${from}`;
  return `create or replace view ${name} as ${body.replaceAll(/\bonchain\./g, `${pg.escapeIdentifier(over)}.`)}`;
}
