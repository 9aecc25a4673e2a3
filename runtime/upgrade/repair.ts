import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { forgetFrom } from "../../chain-access/history/forget.ts";
import { repairLock } from "../../offchain/advisory-locks.ts";
import { inTransaction, onConnection } from "../../offchain/connection.ts";
import { nextSchemaName, readIndexedNames } from "../ponder/indexed-schemas.ts";

type Client = Pick<pg.ClientBase, "query">;

/** Milliseconds between looks for requests, and before a repair that failed is tried again. */
const pollMs = 3_000;
const retryMs = 10_000;

/** `begin`: history has to be forgotten first. `resume`: the schema that is indexed instead is not live yet. */
type Step = { kind: "begin" } | { kind: "resume"; schema: string } | undefined;

/** Reads what the repairs of a schema need next. Only the live schema is repaired. */
async function nextStep(client: Client, schema: string): Promise<Step> {
  const { rows } = await client.query<{ repaired_in: string | null }>(
    `select repaired_in from offchain.repair_request
     where (select schema from offchain.live_schema order by id desc limit 1) = $1
       and (repaired_in is null or $1 = any(stale))
     order by id desc`,
    [schema],
  );
  const [last] = rows;
  if (rows.some(({ repaired_in }) => repaired_in === null)) return { kind: "begin" };
  return last?.repaired_in == null ? undefined : { kind: "resume", schema: last.repaired_in };
}

/** Forgets the history that open requests name, and marks them as repaired in a schema. Call it in a transaction. */
async function forgetRequested(client: Client, schema: string, stale: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ chain_id: number; from_block: string }>(
    `select chain_id, min(from_block) as from_block from offchain.repair_request
     where repaired_in is null group by chain_id`,
  );
  for (const { chain_id, from_block } of rows) await forgetFrom(client, chain_id, Number(from_block));
  await client.query(
    "update offchain.repair_request set repaired_in = $1, stale = $2 where repaired_in is null",
    [schema, stale],
  );
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
    if (step?.kind !== "begin") return step?.schema;
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

/** The schemas that were indexed from forgotten history: they must not be indexed into any more. */
export async function readStaleSchemas(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ schema: string }>(
    "select distinct unnest(stale) as schema from offchain.repair_request",
  );
  return new Set(rows.map(({ schema }) => schema));
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

export type RepairWatch = {
  url: string;
  /** The schema that this process indexes into. */
  schema: string;
  signal: AbortSignal;
  log: (line: string) => void;
  /** Cancels an upgrade that is under way: it indexes history that is about to be forgotten. Resolves once it has ended. */
  cancelUpgrade: () => Promise<void>;
  /** Indexes into a schema and switches to it. Resolves to whether that has succeeded. */
  switchTo: (schema: string) => Promise<boolean>;
};

/** Repairs the live index whenever that is requested, until the signal aborts. What fails is tried again. */
export async function watchRepairs(watch: RepairWatch): Promise<void> {
  const { url, schema, signal, log, cancelUpgrade, switchTo } = watch;
  let isSwitching = false;
  const rest = (ms: number) => delay(ms, undefined, { signal }).catch(endLoop);

  async function tryToSwitch(to: string): Promise<void> {
    isSwitching = true;
    log(`repair: indexing again into the schema ${to}`);
    if (await switchTo(to)) log(`repair: done, the schema ${to} is live`);
    else await rest(retryMs);
    isSwitching = false;
  }

  while (!signal.aborted) {
    // An unreachable database is reported by those who need it.
    const step = await onConnection(url, (client) => nextStep(client, schema)).catch(() => undefined);
    if (step?.kind === "begin") {
      await cancelUpgrade();
      if (!signal.aborted)
        await onConnection(url, (client) => beginRepair(client, schema)).then(
          () => log("repair: the requested part of the stored history is forgotten"),
          (error: unknown) => log(`repair: history can't be forgotten, trying again: ${error}`),
        );
    } else if (step !== undefined && !isSwitching) void tryToSwitch(step.schema);
    await rest(pollMs);
  }
}

export type InPlaceWatch = Pick<RepairWatch, "url" | "schema" | "signal" | "log"> & { restart: () => void };

/** Repairs a schema that is indexed again at each start of the indexer, which `restart` brings about, until the signal aborts. */
export async function repairInPlace({ url, schema, signal, log, restart }: InPlaceWatch): Promise<void> {
  const forget = (client: pg.ClientBase) =>
    inTransaction(client, async () => {
      const { rows } = await client.query(
        "select from offchain.repair_request where repaired_in is null limit 1",
      );
      if (rows.length > 0) await forgetRequested(client, schema, []);
      return rows.length > 0;
    });
  while (!signal.aborted) {
    if (await onConnection(url, forget).catch(() => false)) {
      log("repair: the requested part of the stored history is forgotten: indexing again");
      restart();
    }
    await delay(pollMs, undefined, { signal }).catch(endLoop);
  }
}

/** The loop checks the signal itself. */
const endLoop = () => {};
