import pg from "pg";
import { forgetFrom } from "../../chain-access/history/forget.ts";
import { forgettingCauses } from "../../chain-access/history/repair-requests.ts";
import { pause, waitUntil } from "../../config/async.ts";
import { connectionOptions } from "../../config/connection-options.ts";
import { repairLock, turnLock } from "../../offchain/advisory-locks.ts";
import { inTransaction, type KeptConnection, reportedByQuery } from "../../offchain/connection.ts";
import type { Log } from "../log/log.ts";
import { nextSchemaName, readIndexedNames } from "../ponder/indexed-schemas.ts";

type Client = Pick<pg.ClientBase, "query">;

/** Milliseconds between looks for requests, and before a repair that failed is tried again. */
const pollMs = 3_000;
const retryMs = 10_000;

/** Seconds for which requests of an index that is merely incomplete are gathered, so that one repair is enough for all. */
const gatherSeconds = 15;
/**
 * Seconds between two such repairs. They double with each one in the last days, up to a day: an endpoint that keeps losing logs must
 * not have everything indexed again for ever.
 */
const pauseSeconds = { first: 600, last: 86_400 };
const countedDays = 7;

/**
 * `begin`: wrong history has to be forgotten first, now. `rebuild`: another schema has to be indexed from the stored history, when
 * there is time. `resume`: the schema that is indexed instead is not live yet.
 */
type Step = { kind: "begin" | "rebuild" } | { kind: "resume"; schema: string } | undefined;

type OpenRequest = { is_urgent: boolean; is_gathered: boolean; repaired_in: string | null };

/**
 * Reads what the repairs of a schema need next. Only the live schema is repaired. What was noted later than now, before Postgres' clock was
 * set back, counts as long past: here, and in {@link isPauseOver}.
 */
async function nextStep(client: Client, schema: string): Promise<Step> {
  const { rows } = await client.query<OpenRequest>(
    `select repaired_in, cause = any($2) as is_urgent,
       requested_at not between clock_timestamp() - $3 * interval '1 second' and clock_timestamp() as is_gathered
     from offchain.repair_request
     where (select schema from offchain.live_schema order by id desc limit 1) = $1
       and (repaired_in is null or $1 = any(stale))
     order by id desc`,
    [schema, forgettingCauses, gatherSeconds],
  );
  const open = rows.filter(({ repaired_in }) => repaired_in === null);
  if (open.some(({ is_urgent }) => is_urgent)) return { kind: "begin" };
  const current = rows.find(({ repaired_in }) => repaired_in !== null)?.repaired_in;
  if (current != null) return { kind: "resume", schema: current };
  const isDue = open.some(({ is_gathered }) => is_gathered) && (await isPauseOver(client));
  return isDue ? { kind: "rebuild" } : undefined;
}

/** Whether the last repair that forgot nothing was long enough ago for the next one. */
async function isPauseOver(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is_over: boolean }>(
    `with ended as (
       select max(since) as at from offchain.repair_request join offchain.live_schema on schema = repaired_in
       where cause <> all($1) group by repaired_in)
     select coalesce(
       max(at) + interval '1 second' * least($2::float8 * 2 ^ (count(*) - 1), $3::float8) < now(), true) as is_over
     from ended where at between now() - $4 * interval '1 day' and clock_timestamp()`,
    [forgettingCauses, pauseSeconds.first, pauseSeconds.last, countedDays],
  );
  return rows[0]?.is_over === true;
}

/** Marks all open requests as repaired in a schema, and forgets the history that they say is wrong. Call it in a transaction. */
async function forgetRequested(client: Client, schema: string, stale: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ chain_id: number; from_block: string }>(
    `with begun as (
       update offchain.repair_request set repaired_in = $1, stale = $2 where repaired_in is null
       returning chain_id, from_block, cause)
     select chain_id, min(from_block) as from_block from begun where cause = any($3) group by chain_id`,
    [schema, stale, forgettingCauses],
  );
  for (const { chain_id, from_block } of rows) await forgetFrom(client, chain_id, Number(from_block));
}

/**
 * Forgets the history that open requests name, once, and chooses a schema that nothing was ever indexed into.
 *
 * @param schema the live schema
 * @returns the schema to index into; undefined if nothing has to be repaired
 */
export async function beginRepair(client: pg.ClientBase, schema: string): Promise<string | undefined> {
  return await inTransaction(client, async () => {
    await client.query("select pg_advisory_xact_lock($1)", [repairLock]);
    const step = await nextStep(client, schema);
    if (step === undefined || step.kind === "resume") return step?.schema;
    const indexed = await readIndexedNames(client);
    const { rows } = await client.query<{ name: string }>(
      `select nspname as name from pg_namespace union select schema from offchain.live_schema
       union select unnest(stale) from offchain.repair_request union select repaired_in from offchain.repair_request`,
    );
    const next = nextSchemaName(schema, new Set(rows.map(({ name }) => name)));
    await forgetRequested(client, next, [...new Set([schema, ...indexed])]);
    return next;
  });
}

/** The schemas that have been repaired in another one: they must not be indexed into any more. */
export async function readStaleSchemas(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ schema: string }>(
    "select distinct unnest(stale) as schema from offchain.repair_request",
  );
  return new Set(rows.map(({ schema }) => schema));
}

/** Reads the live schema if it has replaced this one in a repair; else undefined. */
export async function readSuccessor(client: Client, schema: string): Promise<string | undefined> {
  const { rows } = await client.query<{ live: string }>(
    `select live from (select schema as live from offchain.live_schema order by id desc limit 1) last
     where live <> $1 and exists (select from offchain.repair_request where $1 = any(stale))`,
    [schema],
  );
  return rows[0]?.live;
}

/**
 * Lets the stream's journal, which a repaired schema has adopted, be compared with the tables from the first forgotten block on, as
 * far as its events are kept. Call it in the transaction that adopts it.
 */
export async function reopenJournal(client: Client, schema: string): Promise<void> {
  await client.query(
    `update offchain.stream_state state set settled = least(settled, start), compared = least(compared, start)
     from (
       select request.chain_id, greatest(lpad(min(from_block)::text, 12, '0'), (
         select min(position) from offchain.stream_event event
         where event.schema = $1 and event.chain_id = request.chain_id and kind <> 'begin')) as start
       from offchain.repair_request request where repaired_in = $1 group by request.chain_id) repaired
     where state.schema = $1 and state.chain_id = repaired.chain_id and exists (
       select from offchain.stream_event event
       where event.schema = $1 and event.chain_id = state.chain_id and kind <> 'begin')`,
    [schema],
  );
}

const begun = {
  begin: "the requested part of the stored history is forgotten",
  rebuild: "the index is made again from the stored history",
};

export type RepairWatch = {
  onDatabase: KeptConnection;
  /** The schema that this process indexes into. */
  schema: string;
  signal: AbortSignal;
  log: Log;
  isUpgrading: () => boolean;
  /** Cancels one that is under way: it indexes history that is about to be forgotten. Resolves once it has ended. */
  cancelUpgrade: () => Promise<void>;
  /** Indexes into a schema and switches to it. Resolves to whether that has succeeded. */
  switchTo: (schema: string) => Promise<boolean>;
};

/** Repairs the live index whenever that is requested, until the signal aborts. What fails is tried again. */
export async function watchRepairs(watch: RepairWatch): Promise<void> {
  const { onDatabase, schema, signal, log, isUpgrading, cancelUpgrade, switchTo } = watch;
  let isSwitching = false;
  const rest = (ms: number) => pause(ms, signal);

  async function tryToSwitch(to: string): Promise<void> {
    isSwitching = true;
    log(`repair: indexing again into the schema ${to}`);
    if (await switchTo(to)) log(`repair: done, the schema ${to} is live`);
    else await rest(retryMs);
    isSwitching = false;
  }

  while (!signal.aborted) {
    // An unreachable database is reported by those who need it.
    const step = await onDatabase((client) => nextStep(client, schema)).catch(() => undefined);
    if (step?.kind === "begin") await cancelUpgrade();
    if (step?.kind === "resume") {
      if (!isSwitching) void tryToSwitch(step.schema);
    } else if (step !== undefined && !signal.aborted && !isUpgrading()) {
      await onDatabase((client) => beginRepair(client, schema)).then(
        () => log(`repair: ${begun[step.kind]}`),
        (error: unknown) => log(`repair: it can't begin, trying again: ${error}`, "warn"),
      );
    }
    await rest(pollMs);
  }
}

export type InPlaceWatch = Pick<RepairWatch, "onDatabase" | "schema" | "signal" | "log"> & {
  restart: () => void;
};

/** Repairs a schema that is indexed again at each start of the indexer, which `restart` brings about, until the signal aborts. */
export async function repairInPlace({
  onDatabase,
  schema,
  signal,
  log,
  restart,
}: InPlaceWatch): Promise<void> {
  // Also after a failure: the commit may have succeeded, and then there is no request left.
  let isRestartDue = false;
  const forget = (client: pg.ClientBase) =>
    inTransaction(client, async () => {
      const { rows } = await client.query(
        "select from offchain.repair_request where repaired_in is null limit 1",
      );
      if (rows.length === 0) return;
      isRestartDue = true;
      await forgetRequested(client, schema, []);
    });
  while (!signal.aborted) {
    const isSettled = await onDatabase(forget).then(
      () => true,
      () => false,
    );
    if (isSettled && isRestartDue) {
      isRestartDue = false;
      log("repair: what was requested of the stored history is forgotten: indexing again");
      restart();
    }
    await pause(pollMs, signal);
  }
}

/** Milliseconds to wait for the others, and between attempts. */
const maxTurnWaitMs = 300_000;
const turnRetryMs = 500;

export type TurnOptions = { url: string; signal: AbortSignal; waitMs?: number };

/**
 * Waits until no other process of this database has its turn. Ends with the process at the latest, and nobody is waited for
 * for ever, whatever keeps it.
 *
 * @returns a function that ends the turn
 * @throws the driver's error, or the signal's reason
 */
export async function takeTurn({
  url,
  signal,
  waitMs = maxTurnWaitMs,
}: TurnOptions): Promise<() => Promise<void>> {
  const client = new pg.Client(
    connectionOptions({
      connectionString: url,
      application_name: "turn",
      connectionTimeoutMillis: 30_000,
    }),
  );
  client.on("error", reportedByQuery);
  const end = () => client.end().catch(reportedByQuery);
  try {
    await client.connect();
    const isOurs = async () => {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as is_ours", [turnLock]);
      return rows[0].is_ours;
    };
    await waitUntil(isOurs, { everyMs: turnRetryMs, forMs: waitMs, signal });
    return end;
  } catch (error) {
    await end();
    throw error;
  }
}
