import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { streamState } from "./stream.ts";

/** An event to be added to the journal. */
export type StreamEvent = {
  chainId: number;
  position: string;
  kind: "created" | "trade" | "graduated" | "transfer" | "liquidity_added" | "liquidity_removed";
  mint: string;
  creator: string | null;
  fingerprint: string;
  /** The JSON that clients receive. */
  data: string;
};

export type StreamState = Omit<typeof streamState.$inferSelect, "begun">;

type Transaction = Pick<NodePgDatabase, "execute">;

/** Appends events to a schema's journal, in the order given. */
export async function appendStreamEvents(
  tx: Transaction,
  schema: string,
  events: StreamEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.execute(
    sql`insert into offchain.stream_event (schema, chain_id, position, kind, mint, creator, fingerprint, data)
        select ${schema}, (event ->> 'chainId')::int, event ->> 'position', event ->> 'kind', event ->> 'mint',
          event ->> 'creator', event ->> 'fingerprint', event ->> 'data'
        from json_array_elements(${JSON.stringify(events)}::json) with ordinality as given (event, place)
        order by place`,
  );
}

/** Appends the removal of these events, in the order of `ids`. */
export async function retractStreamEvents(tx: Transaction, schema: string, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const given = sql`unnest(${sql.param(ids)}::bigint[]) with ordinality as given (id, place)`;
  await tx.execute(
    sql`update offchain.stream_event set current = false
        where schema = ${schema} and id = any(${sql.param(ids)}::bigint[])`,
  );
  await tx.execute(
    sql`insert into offchain.stream_event
          (schema, chain_id, position, kind, mint, creator, fingerprint, data, removed, current)
        select schema, chain_id, position, kind, mint, creator, fingerprint, data, true, false
        from ${given} join offchain.stream_event event using (id) where schema = ${schema} order by place`,
  );
}

/** Restarts a chain's journal: clients can't resume from before. Returns the id of its first event. */
export async function restartStream(tx: Transaction, schema: string, chainId: number): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`insert into offchain.stream_event (schema, chain_id, position, kind, mint, fingerprint, data, current)
        values (${schema}, ${chainId}, '', 'begin', '', '', '{}', false) returning id`,
  );
  return Number(rows[0]?.id);
}

/** Marks all events of a chain's journal as no longer current, before a restart. */
export async function forgetStreamEvents(tx: Transaction, schema: string, chainId: number): Promise<void> {
  await tx.execute(
    sql`update offchain.stream_event set current = false
        where schema = ${schema} and chain_id = ${chainId} and current`,
  );
}

/** @param begun the id of the journal's first event; undefined to keep it */
export async function saveStreamState(
  tx: Transaction,
  state: StreamState,
  begun: number | undefined,
): Promise<void> {
  const { schema, chainId, stamp, build, trigger, latestBlock, compared, settled, settledAt } = state;
  await tx.execute(
    sql`insert into offchain.stream_state
          (schema, chain_id, begun, stamp, build, trigger, latest_block, compared, settled, settled_at)
        values (${schema}, ${chainId}, ${begun ?? 0}, ${stamp}, ${build}, ${trigger}, ${latestBlock}, ${compared},
          ${settled}, ${settledAt})
        on conflict (schema, chain_id) do update set
          begun = ${begun === undefined ? sql`stream_state.begun` : sql`excluded.begun`}, stamp = excluded.stamp,
          build = excluded.build, trigger = excluded.trigger, latest_block = excluded.latest_block,
          compared = excluded.compared, settled = excluded.settled, settled_at = excluded.settled_at`,
  );
}

const pruneBatch = 5_000;

/**
 * Deletes a batch of events older than this many hours, and returns whether there may be more. Keeps events that a reorg can
 * still change, and the last event of each schema, from which clients may resume.
 */
export async function pruneStreamEvents(db: Transaction, hours: number): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`delete from offchain.stream_event where (schema, id) in (
          select event.schema, event.id from offchain.stream_event event
          left join offchain.stream_state state using (schema, chain_id)
          where event.at < now() - make_interval(hours => ${hours})
            and event.position <= coalesce(state.settled, event.position)
            and event.id < (select max(last.id) from offchain.stream_event last where last.schema = event.schema)
          order by event.at limit ${pruneBatch})`,
  );
  return rowCount === pruneBatch;
}
