import { token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { checkpointBlock, checkpointTime } from "../../../config/parse.ts";
import { sqlName } from "../database/columns.ts";
import { type Database, type PooledDatabase, prepareRows, queryRows } from "../database/database.ts";

/** How far a chain is indexed. */
export type IndexedChain = {
  chainId: number;
  /** Changes with each write to the chain's rows, including those of a reorg. */
  written: string;
  /** The last indexed block, and its time in seconds. */
  block: number;
  timestamp: number;
  /** Up to here, no reorg can revert what was written. Time in seconds. */
  safe: { block: number; timestamp: number };
};

export type IndexState = {
  /** Changes with every indexed block and every registration. */
  version: string;
  /** The number of writes to the registry. */
  registry: number;
  chains: IndexedChain[];
};

/** The Postgres schema of the on-chain tables. */
export const onchainSchema = getTableConfig(token).schema ?? "public";

/** Ponder's record of its progress, written in the transaction of each block. */
export const checkpoints = sqlName(`${onchainSchema}._ponder_checkpoint`);

/** Ponder's record of its state: whether the backfill is done, and what `runtime/ponder/store/reorg-log.ts` adds to it. */
export const ponderMeta = sqlName(`${onchainSchema}._ponder_meta`);

/**
 * Whether rows of a chain were reverted by a reorg or a start, and are not indexed again yet; `at` and `meta` are aliases of
 * {@link checkpoints} and {@link ponderMeta}. Rows are reverted in a transaction of its own, which leaves the chain's checkpoint at
 * the abandoned head and notes who had last written it; the next to write it is the next block.
 */
export const isReorganizing = sql`coalesce(meta.value -> 'reverted' ->> at.chain_id::text = at.xmin::text, false)`;

/** Where Ponder keeps the earlier rows of a table that a reorg may have to restore. */
export const reorgTable = (table: string) => sqlName(`${onchainSchema}._reorg__${table}`);

/** The channel that Ponder notifies of every block. */
export const ponderChannel = `${onchainSchema}_live_query`;

type Row = {
  registry: string;
  chain_id: string | null;
  written: string;
  latest: string;
  safe: string;
};

// xmin is the transaction that last wrote the row: it changes even if a block replaces one of the same number and time.
const indexState = () =>
  sql`select registry.version as registry, at.chain_id, at.xmin::text as written,
             at.latest_checkpoint as latest, at.safe_checkpoint as safe
      from offchain.registry left join ${checkpoints} at on true
      where registry.id = 1 order by at.chain_id`;
const preparedIndexState = prepareRows<Row>("index_state", indexState);

/** Reads the state of the index and the registry, one row per chain. */
export async function readIndexState(db: Database): Promise<IndexState> {
  return toIndexState(await queryRows<Row>(db, indexState()));
}

/** Reads the state by a prepared statement, for reads as frequent as requests. */
export async function readIndexStatePrepared(db: PooledDatabase): Promise<IndexState> {
  return toIndexState(await preparedIndexState(db, []));
}

function toIndexState(rows: Row[]): IndexState {
  const chains = rows.flatMap(({ chain_id, written, latest, safe }): IndexedChain[] =>
    chain_id === null
      ? []
      : [
          {
            chainId: Number(chain_id),
            written,
            block: checkpointBlock(latest),
            timestamp: checkpointTime(latest),
            safe: { block: checkpointBlock(safe), timestamp: checkpointTime(safe) },
          },
        ],
  );
  return { version: JSON.stringify(rows), registry: Number(rows[0]?.registry ?? 0), chains };
}

/** The state of the process that indexes, from its own record. */
export type WriterState = {
  /** Whether the backfill is done. */
  isReady: boolean;
  /** Whether it has ended, or has stopped sending heartbeats. */
  isGone: boolean;
};

/** Heartbeats come every 10 seconds, and Ponder itself considers the process dead after 25. */
const silenceSeconds = 30;

export async function readWriterState(db: Database): Promise<WriterState> {
  const [row] = await queryRows<{ is_ready: boolean; is_gone: boolean }>(
    db,
    sql`select value ->> 'is_ready' = '1' as is_ready,
               value ->> 'is_locked' = '0'
                 or (value ->> 'heartbeat_at')::numeric / 1000 < extract(epoch from now()) - ${silenceSeconds}
                 as is_gone
        from ${ponderMeta} where key = 'app'`,
  );
  return { isReady: row?.is_ready ?? false, isGone: row?.is_gone ?? true };
}
