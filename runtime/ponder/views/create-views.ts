import { createHash } from "node:crypto";
import pg from "pg";
import { codeOf } from "../../../config/error-code.ts";
import { grantLock } from "../../../offchain/advisory-locks.ts";
import { inTransaction, literal, statement } from "../../../offchain/connection.ts";
import { viewsSchema } from "../../../offchain/read-grants.ts";
import { accounts, earlyBuyers, holders, positions } from "./accounts.ts";
import { candles } from "./candles.ts";
import { curves, graduations, registrations, tokens } from "./tokens.ts";
import { activeTokens, chains, dailyTotals, pairs, totals } from "./totals.ts";
import { balanceChange, bnbUsd, liquidity, trades, transfers } from "./trades.ts";
import type { View } from "./view.ts";

/** Every view for analysts. Names and units must not change, and new columns go at the end of a view, so that users' views over it stay valid. */
export const views = [
  ...[chains, totals, dailyTotals, tokens, curves, graduations, registrations, trades, candles],
  ...[holders, positions, accounts, earlyBuyers, pairs, liquidity, bnbUsd, activeTokens],
  ...[transfers, balanceChange],
];

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
    if (codeOf(error) !== CHANGED_COLUMNS) throw error;
    await client.query("rollback to savepoint one_view");
    await client.query(statement`drop view ${into}.${view.name} cascade`);
    await client.query(text);
  }
  const comments = Object.entries(view.columns).map(
    ([column, [, comment]]) =>
      `comment on column ${name}.${pg.escapeIdentifier(column)} is ${pg.escapeLiteral(comment)}`,
  );
  const key = view.key === undefined ? "" : `. Key: ${view.key.join(", ")}`;
  const all = [`comment on view ${name} is ${pg.escapeLiteral(view.comment + key)}`, ...comments].join(";");
  await client.query(all);
}

function definition({ columns, from }: View, name: string, over: string): string {
  const selected = Object.entries(columns).map(
    ([column, [expression]]) => `${expression} as ${pg.escapeIdentifier(column)}`,
  );
  const body = `select ${selected.join(",\n  ")} from ${from}`;
  return `create or replace view ${name} as ${body.replaceAll(/\bonchain\./g, `${pg.escapeIdentifier(over)}.`)}`;
}

/*
 * The views for analysts are in the schema `launchpad`. During an upgrade there are two sets of them: the original schema, which
 * users may have created views over, and a spare one over the new index. Whichever of the two is called `launchpad` is in use.
 */

const version = createHash("sha256").update(JSON.stringify(views)).digest("hex").slice(0, 12);

const viewsComment = (kind: "Views" | "Spare views", over: string) =>
  `${kind} for analysts over the schema ${over}, definition ${version}`;

/** A schema of views, as described by its comment. */
export type ViewSet = {
  /** The schema's name. */
  name: string;
  /** The schema of the tables. */
  over: string;
  isSpare: boolean;
  /** Whether it has all views in their current definition. */
  isComplete: boolean;
};

/** What is in the schema of the views. */
type ViewsState =
  | { is: "missing" }
  /** A schema of this name that isn't ours. */
  | { is: "foreign" }
  | ({ is: "ours" } & ViewSet);

type Row = { name: string; comment: string | null; found: string; others: string };

const names = views.map(({ name }) => name);

/** Reads which set of views has the name. */
export async function readViewsState(client: pg.ClientBase): Promise<ViewsState> {
  const row = (await readSchemas(client)).find(({ name }) => name === viewsSchema);
  if (row === undefined) return { is: "missing" };
  const set = parseViewSet(row);
  if (set !== undefined) return { is: "ours", ...set };
  // Granting access creates it empty.
  return { is: Number(row.found) + Number(row.others) === 0 ? "missing" : "foreign" };
}

/** Reads the other sets of views. */
export async function readParkedViews(client: pg.ClientBase): Promise<ViewSet[]> {
  const rows = (await readSchemas(client)).filter(({ name }) => name !== viewsSchema);
  return rows.flatMap((row) => parseViewSet(row) ?? []);
}

/** Reads the schemas whose names begin with that of the views. */
async function readSchemas(client: pg.ClientBase): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select nspname as name, obj_description(pg_namespace.oid, 'pg_namespace') as comment,
       count(*) filter (where relkind = 'v' and relname = any($1)) as found,
       count(relname) filter (where relkind <> 'v' or relname <> all($1)) as others
     from pg_namespace left join pg_class on relnamespace = pg_namespace.oid
     where nspname = $2 or starts_with(nspname, $2 || '_') group by pg_namespace.oid`,
    [names, viewsSchema],
  );
  return rows;
}

function parseViewSet({ name, comment, found }: Row): ViewSet | undefined {
  const match = /^(Views|Spare views) for analysts over the schema (\S+), definition (\w+)$/.exec(
    comment ?? "",
  );
  if (match === null) return undefined;
  const [, kind, over = "", made] = match;
  return {
    name,
    over,
    isSpare: kind !== "Views",
    isComplete: Number(found) === views.length && made === version,
  };
}

/** Runs `work` in a transaction in which nobody else changes the views or grants. Throws the driver's error, also if a lock takes too long. */
export async function underViewsLock<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  return await inTransaction(client, async () => {
    // While we wait for a long reader, everyone else waits behind us. So give up soon, and let the next attempt find a gap.
    await client.query("set local lock_timeout = '3s'");
    await client.query("set local search_path = pg_catalog");
    // Granting access at a start creates the schema too, and changes the same rows of the catalog.
    await client.query("select pg_advisory_xact_lock($1)", [grantLock]);
    return await work();
  });
}
