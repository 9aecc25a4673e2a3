import type pg from "pg";
import { journalLocks } from "./advisory-locks.ts";
import { inTransaction, literal, statement } from "./connection.ts";

type Client = Pick<pg.ClientBase, "query">;

/** The on-chain schemas between which a journal is handed over. */
export type Adoption = { from: string; to: string };

/** The number of events copied at a time. */
const batchSize = 20_000;

/** SQLSTATE. */
const UNIQUE_VIOLATION = "23505";

/** Stops every process from writing a schema's journal. */
export async function pauseJournal(client: Client, schema: string): Promise<void> {
  await client.query("insert into offchain.stream_pause (schema) values ($1) on conflict do nothing", [
    schema,
  ]);
}

export async function resumeJournal(client: Client, schema: string): Promise<void> {
  await client.query("delete from offchain.stream_pause where schema = $1", [schema]);
}

/**
 * Copies a journal's events so far, including ids, to a paused one, where events that both have stay in place. The source
 * continues to be written, but {@link adoptJournal} then has little left to copy. Returns the position up to which events
 * can't change any more.
 */
export async function copyJournal(client: Client, { from, to }: Adoption): Promise<string> {
  const { rows } = await client.query<{ settled: string | null }>(
    "select min(settled) as settled from offchain.stream_state where schema = $1",
    [from],
  );
  await client.query(
    `delete from offchain.stream_event copy where copy.schema = $2
       and not exists (select from offchain.stream_event where schema = $1 and id = copy.id)`,
    [from, to],
  );
  await copyRetractions(client, { from, to, settled: "" });
  const { rows: copiedUpTo } = await client.query<{ last: string }>(
    "select coalesce(max(id), -1) as last from offchain.stream_event where schema = $1",
    [to],
  );
  const settled = rows[0]?.settled ?? "";
  for (let last = copiedUpTo[0]?.last ?? null; last !== null; ) {
    const after = last;
    last = await copyBatch(client, { from, to, after }).catch(async (error: { code?: string }) => {
      if (error.code !== UNIQUE_VIOLATION) throw error;
      // Since the batch before, a reorg has put another event in the place of one that it copied.
      await copyRetractions(client, { from, to, settled });
      return await copyBatch(client, { from, to, after });
    });
  }
  return settled;
}

/** Copies the next events after an id. Resolves to the last one's id; null if there are no more. */
async function copyBatch(
  client: Client,
  { from, to, after }: Adoption & { after: string },
): Promise<string | null> {
  const { rows } = await client.query<{ last: string | null }>(
    `with copied as (
       insert into offchain.stream_event (
         schema, id, chain_id, position, kind, mint, creator, fingerprint, data, removed, current, at)
       overriding system value
       select $2, id, chain_id, position, kind, mint, creator, fingerprint, data, removed, current, at
       from offchain.stream_event where schema = $1 and id > $3 order by id limit $4
       returning id)
     select max(id) as last from copied`,
    [from, to, after, batchSize],
  );
  return rows[0]?.last ?? null;
}

type Patience = {
  /** How long to wait for each lock: an index may be frozen meanwhile. */
  patienceMs?: number;
};

/**
 * Does work while nobody else writes or hands over either journal. A connection that was lost in a COMMIT holds the locks until
 * that has succeeded or failed. Work under the locks may lock them again.
 */
export async function withJournals(
  client: Client,
  { from, to, patienceMs = 10_000 }: Adoption & Patience,
  work: () => Promise<void>,
): Promise<void> {
  await client.query(statement`set lock_timeout = ${literal(String(patienceMs))}`);
  // In the order of names, so that two adoptions in opposite directions can't deadlock.
  const locked: string[] = [];
  try {
    for (const name of [from, to].sort()) {
      await client.query("select pg_advisory_lock($1, hashtext($2))", [journalLocks, name]);
      locked.push(name);
    }
    await work();
  } finally {
    for (const name of locked) {
      await client.query("select pg_advisory_unlock($1, hashtext($2))", [journalLocks, name]);
    }
    await client.query("reset lock_timeout");
  }
}

/**
 * Continues the journal of one schema in that of another, in one transaction: the ids continue, and from then on only the
 * second is written. Its next comparison with its own tables covers whatever was not final.
 *
 * @param settled what {@link copyJournal} returned
 * @param work more for the same transaction
 */
export async function adoptJournal(
  client: Client,
  { from, to, settled, ...patience }: Adoption & Patience & { settled: string },
  work: () => Promise<void>,
): Promise<void> {
  const adopt = () =>
    inTransaction(client, async () => {
      await client.query("set local synchronous_commit = on");
      // First what was retracted since it was copied: another event may have taken its position by now.
      await copyRetractions(client, { from, to, settled });
      await client.query(
        `insert into offchain.stream_event (
           schema, id, chain_id, position, kind, mint, creator, fingerprint, data, removed, current, at)
         overriding system value
         select $2, id, chain_id, position, kind, mint, creator, fingerprint, data, removed, current, at
         from offchain.stream_event
         where schema = $1
           and id > (select coalesce(max(id), -1) from offchain.stream_event where schema = $2) order by id`,
        [from, to],
      );
      await client.query("delete from offchain.stream_state where schema = $1", [to]);
      await client.query(
        `insert into offchain.stream_state
           (schema, chain_id, begun, stamp, build, trigger, latest_block, compared, settled, settled_at)
         select $2, chain_id, begun, null, '', '', latest_block, compared, settled, settled_at
         from offchain.stream_state where schema = $1`,
        [from, to],
      );
      await pauseJournal(client, from);
      await resumeJournal(client, to);
      await work();
    });
  // Locked before the transaction begins, so that it sees what was written under the locks.
  await withJournals(client, { from, to, ...patience }, adopt);
}

/** Retracts, in a copy, events that were retracted since it was made. */
async function copyRetractions(
  client: Client,
  { from, to, settled }: Adoption & { settled: string },
): Promise<void> {
  await client.query(
    `update offchain.stream_event copy set current = false from offchain.stream_event original
     where copy.schema = $2 and copy.current and copy.position > $3
       and original.schema = $1 and original.id = copy.id and not original.current`,
    [from, to, settled],
  );
}
