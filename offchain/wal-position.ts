import type pg from "pg";

/** How far a server is in the write-ahead log, in bytes since its beginning. */
export type WalPosition = {
  /** Differs between servers, and after each start of one. */
  server: string;
  isReplica: boolean;
  /** Up to where reads see everything: what a replica has replayed, or a primary has written. Null: not known. */
  reached: number | null;
  /** Up to where a primary has it on disk, all that was committed durably included. Null on a replica. */
  flushed: number | null;
  /**
   * In seconds, by the clock of the primary: its time now, or when it committed what its replica has replayed last. Null where it has
   * replayed nothing since it started.
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

/** Reads how far a server is. Any role may. Throws the driver's error. */
export async function readWalPosition(client: Pick<pg.ClientBase, "query">): Promise<WalPosition> {
  const { rows } = await client.query<Row>(
    `select pg_postmaster_start_time()::text as server, is_replica,
       case when is_replica then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end - '0/0'::pg_lsn as reached,
       case when is_replica then null else pg_current_wal_flush_lsn() - '0/0'::pg_lsn end as flushed,
       extract(epoch from case when is_replica then pg_last_xact_replay_timestamp() else clock_timestamp() end)::text as at
     from pg_is_in_recovery() as is_replica`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("Invariant(replica): no position");
  const numberOf = (value: string | null) => (value === null ? null : Number(value));
  return {
    server: row.server,
    isReplica: row.is_replica,
    reached: numberOf(row.reached),
    flushed: numberOf(row.flushed),
    at: numberOf(row.at),
  };
}
