import { createHash } from "node:crypto";
import type pg from "pg";
import { grantLock } from "../../../offchain/advisory-locks.ts";
import { inTransaction } from "../../../offchain/connection.ts";
import { viewsSchema } from "../../../offchain/read-grants.ts";
import { views } from "./views.ts";

/*
 * The views for analysts are in the schema `launchpad`. During an upgrade there are two sets of them: the original schema, which
 * users may have created views over, and a spare one over the new index. Whichever of the two is called `launchpad` is in use.
 */

const version = createHash("sha256").update(JSON.stringify(views)).digest("hex").slice(0, 12);

export const viewsComment = (kind: "Views" | "Spare views", over: string) =>
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
export type ViewsState =
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
    ...{ name, over, isSpare: kind !== "Views" },
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
