import type pg from "pg";
import { pause } from "../../../config/async.ts";
import { codeOf, isTransientDatabaseError } from "../../../config/error-code.ts";
import { createChangeLog } from "../../../config/log.ts";
import { type KeptConnection, literal, statement } from "../../../offchain/connection.ts";
import { viewsSchema } from "../../../offchain/read-grants.ts";
import {
  createViews,
  readParkedViews,
  readViewsState,
  underViewsLock,
  type ViewSet,
} from "./create-views.ts";
import { dropSpareViews, restoreOriginalViews } from "./switch-views.ts";

export type FollowOptions = {
  /** As the owner. */
  onDatabase: KeptConnection;
  /** The Postgres schema that this process indexes into. */
  schema: string;
  signal: AbortSignal;
  log: (line: string) => void;
  /** Milliseconds between checks. */
  everyMs?: number;
};

/**
 * Keeps the views for analysts over the live index as long as this process runs: creates them with the first tables, recreates
 * them after Ponder has dropped its tables, and moves them from an older schema to this one once its backfill is done. An upgrade
 * switches them along with everything else.
 */
export async function followIndex({
  onDatabase,
  schema,
  signal,
  log,
  everyMs = 5_000,
}: FollowOptions): Promise<void> {
  const logChange = createChangeLog(log);
  while (!signal.aborted) {
    // An unreachable database is reported by those who need it.
    logChange(await onDatabase((client) => updateViews(client, schema)).catch(describeFailure));
    await pause(everyMs, signal);
  }
}

/** SQLSTATEs of a lock that somebody else has, and of tables that were dropped meanwhile. */
const passingCodes = /^(55|42P01|3F)/;

/** Returns what to log about a failure. Nothing if it may pass. */
export function describeFailure(error: Error): string {
  if (isTransientDatabaseError(error) || passingCodes.test(codeOf(error))) return "";
  return `warning: the views for analysts can't be made: ${error.message}`;
}

/** Brings the views up to date if that is up to this schema's indexer, and returns what to log about it. */
export async function updateViews(client: pg.ClientBase, schema: string): Promise<string> {
  const step = await nextStep(client, schema);
  if (step === undefined) return "";
  if (step.is === "refuse") {
    return `warning: the schema ${viewsSchema} has other uses here, so that there are no views for analysts`;
  }
  return await underViewsLock(client, async () => {
    // An upgrade may have switched since.
    const now = await nextStep(client, schema);
    if (now?.is === "restore") await restoreOriginalViews(client, now.shown);
    if (now?.is === "drop") for (const set of now.sets) await dropSpareViews(client, set);
    if (now?.is !== "create") return "";
    await createViews(client, { into: viewsSchema, over: schema, isSpare: now.isSpare });
    return `The views for analysts are over the schema ${schema}.`;
  });
}

type Step =
  | { is: "refuse" }
  | { is: "create"; isSpare: boolean }
  | { is: "restore"; shown: ViewSet }
  | { is: "drop"; sets: ViewSet[] };

async function nextStep(client: pg.ClientBase, schema: string): Promise<Step | undefined> {
  const state = await readViewsState(client);
  if (schema === viewsSchema || state.is === "foreign") return { is: "refuse" };
  const own = await readIndex(client, schema);
  if (own === undefined || own.isPaused) return undefined;
  if (state.is === "missing") return { is: "create", isSpare: false };
  const create = { is: "create", isSpare: state.isSpare } as const;
  if (state.over === schema) {
    if (!state.isComplete) return create;
    if (state.isSpare) return { is: "restore", shown: state };
    const sets = await findLeftoverSets(client, schema);
    return sets.length > 0 ? { is: "drop", sets } : undefined;
  }
  const other = await readIndex(client, state.over);
  return other === undefined || shouldTakeOver(own, other) ? create : undefined;
}

/** Finds the sets that an upgrade left behind, other than those of an upgrade that is about to switch. */
async function findLeftoverSets(client: pg.ClientBase, schema: string): Promise<ViewSet[]> {
  const leftover: ViewSet[] = [];
  for (const set of await readParkedViews(client)) {
    const isAlive = set.over !== schema && (await readIndex(client, set.over))?.isAlive;
    if (set.isSpare && !isAlive) leftover.push(set);
  }
  return leftover;
}

/** During an upgrade, the index that has been replaced, or is about to take the other's place, is paused. */
type Index = { isReady: boolean; isAlive: boolean; isPaused: boolean; age: bigint };

/** Of two indexes that run at the same time, the newer one replaces the other once it has the whole history. */
const shouldTakeOver = (own: Index, other: Index) =>
  own.isReady && own.isAlive && (other.isPaused || !other.isAlive || own.age > other.age);

/** Reads the state of an index. Returns undefined if it has no tables. */
async function readIndex(client: pg.ClientBase, schema: string): Promise<Index | undefined> {
  const { rows } = await client.query<{ age: string; tables: string }>(
    `select pg_namespace.oid::text as age, count(*) as tables
     from pg_namespace join pg_class on relnamespace = pg_namespace.oid
     where nspname = $1 and relname in ('_ponder_meta', '_ponder_checkpoint', 'token', 'active_token')
     group by pg_namespace.oid`,
    [schema],
  );
  const [row] = rows;
  if (row === undefined || Number(row.tables) < 4) return undefined;
  const { rows: apps } = await client.query<{ ready: boolean; alive: boolean; paused: boolean }>(
    statement`select value ->> 'is_ready' = '1' as ready,
        value ->> 'is_locked' = '1'
          and (value ->> 'heartbeat_at')::numeric / 1000 > extract(epoch from now()) - 30 as alive,
        exists (select from offchain.stream_pause where schema = ${literal(schema)}) as paused
      from ${schema}._ponder_meta where key = 'app'`,
  );
  const { ready: isReady = false, alive: isAlive = false, paused: isPaused = false } = apps[0] ?? {};
  return { isReady, isAlive, isPaused, age: BigInt(row.age) };
}
