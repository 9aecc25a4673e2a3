import type pg from "pg";

/** A server's position in the write-ahead log, in bytes from its start. */
export type WalPosition = {
  /** Differs between servers, and changes with each restart. */
  server: string;
  isReplica: boolean;
  /**
   * The position up to which reads see everything: what a replica has replayed, or a primary has written. Null if
   * unknown.
   */
  reached: number | null;
  /** The position up to which a primary has flushed to disk, which includes every durable commit. Null on a replica. */
  flushed: number | null;
  /**
   * In seconds, by the primary's clock: its time now, or, on a replica, the commit time of the last replayed transaction. Null
   * if a replica has replayed nothing since it started.
   */
  at: number | null;
};

type Row = {
  server: string;
  is_replica: boolean;
  reached: string | null;
  flushed: string | null;
  at: string | null;
};

/** Reads a server's position, as any role may. Throws the driver's error. */
export async function readWalPosition(client: Pick<pg.ClientBase, "query">): Promise<WalPosition> {
  const { rows } = await client.query<Row>(
    // Not the time as text, which depends on the session: roles may have different time zones.
    `select extract(epoch from pg_postmaster_start_time())::text as server, is_replica,
       case when is_replica then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end - '0/0'::pg_lsn as reached,
       case when is_replica then null else pg_current_wal_flush_lsn() - '0/0'::pg_lsn end as flushed,
       extract(epoch from case when is_replica then pg_last_xact_replay_timestamp() else clock_timestamp() end)::text as at
     from pg_is_in_recovery() as is_replica`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("Invariant(replica): no position");
  const toNumber = (value: string | null) => (value === null ? null : Number(value));
  return {
    server: row.server,
    isReplica: row.is_replica,
    reached: toNumber(row.reached),
    flushed: toNumber(row.flushed),
    at: toNumber(row.at),
  };
}
