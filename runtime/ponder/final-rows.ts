import type pg from "pg";
import { codeOf } from "../../config/error-code.ts";
import { checkpointBlock, checkpointTime } from "../../config/parse.ts";
import { literal, statement } from "../../offchain/connection.ts";

/** The last block of a chain that no reorg can take back, by Ponder's own record. */
export type FinalChain = {
  chainId: number;
  /** Sorts chronologically as text. */
  checkpoint: string;
  block: number;
  /** Seconds since 1970. */
  timestamp: number;
};

export type FinalState = {
  /** False while rows may be missing: during the first sync, and after a restart of the indexer until it has caught up. */
  isReady: boolean;
  /** Identifies what is indexed, and how. */
  build: string;
  chains: FinalChain[];
};

const UNDEFINED_TABLE = "42P01";

/**
 * Builds a query for the time, in seconds since 1970, up to which a schema's rows of the chain `$1` are final: Ponder never indexes
 * an earlier block into it again. Without Ponder's tables there, it fails with "undefined table".
 */
export const finalTimeQuery = (schema: string): string =>
  statement`select left(finalized_checkpoint, 10)::int8 as seconds from ${schema}._ponder_checkpoint where chain_id = $1`;

/** Reads the finality of each chain in an on-chain schema. Returns undefined if Ponder has not created its tables there. */
export async function readFinalState(client: pg.ClientBase, schema: string): Promise<FinalState | undefined> {
  const meta = statement`select value ->> 'build_id' as build, value ->> 'is_ready' = '1' as ready
    from ${schema}._ponder_meta where key = 'app'`;
  const checkpoints = statement`select chain_id, finalized_checkpoint as checkpoint
    from ${schema}._ponder_checkpoint order by chain_id`;
  try {
    const { rows } = await client.query<{ build: string; ready: boolean }>(meta);
    const result = await client.query<{ chain_id: string; checkpoint: string }>(checkpoints);
    const [app] = rows;
    if (app === undefined) return undefined;
    return {
      isReady: app.ready,
      build: app.build,
      chains: result.rows.map(({ chain_id, checkpoint }) => ({
        chainId: Number(chain_id),
        checkpoint,
        block: checkpointBlock(checkpoint),
        timestamp: checkpointTime(checkpoint),
      })),
    };
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

/** The last indexed block of a chain. */
export type Head = {
  block: number;
  /** Seconds since 1970. */
  timestamp: number;
  /** Changes with each block, and with each reorg, also to a block of the same number and time. */
  written: string;
  /** Changes with each start of the indexer, and with each reorg of any chain. */
  course: string;
  /** Whether rows of this block and those before it are missing, because a reorg or a start has reverted them. */
  isReverted: boolean;
};

export async function readHead(client: pg.ClientBase, schema: string, chainId: number): Promise<Head> {
  const { rows } = await client.query<{
    checkpoint: string;
    written: string;
    course: string;
    is_reverted: boolean;
  }>(
    statement`select latest_checkpoint as checkpoint, p.xmin::text as written,
        concat(m.value ->> 'started', m.value ->> 'reverted') as course,
        coalesce(m.value -> 'reverted' ->> p.chain_id::text = p.xmin::text, false) as is_reverted
      from ${schema}._ponder_checkpoint p left join ${schema}._ponder_meta m on m.key = 'app' where p.chain_id = $1`,
    [chainId],
  );
  const { checkpoint = "", written = "", course = "", is_reverted: isReverted = true } = rows[0] ?? {};
  return {
    block: checkpointBlock(checkpoint),
    timestamp: checkpointTime(checkpoint),
    written,
    course,
    isReverted,
  };
}

export type FinalRowsOptions = {
  schema: string;
  table: string;
  key: string[];
  chain: Pick<FinalChain, "chainId" | "checkpoint">;
  /** SQL for the columns of a row named `r`. */
  columns: string;
  /** SQL that is true of each row `r` to return. Without it all are. Rows that later blocks changed come anyway. */
  only?: string;
};

/**
 * Returns SQL for all rows of a table as they were at a chain's final block. The table that Ponder keeps for reorgs has the
 * previous version of each row that later blocks changed: the oldest entry of a row is its final version, or shows that the row
 * did not exist. The checkpoint must be from the same snapshot.
 */
export function finalRows({ schema, table, key, chain, columns, only }: FinalRowsOptions): string {
  const log = `_reorg__${table}`;
  const keys = key.map((column) => statement`${column}`).join(", ");
  const [chainId, checkpoint] = [literal(String(chain.chainId)), literal(chain.checkpoint)];
  return [
    `with changed as materialized (select distinct on (${keys}) *`,
    statement`from ${schema}.${log} where chain_id = ${chainId} and checkpoint > ${checkpoint}`,
    `order by ${keys}, operation_id)`,
    `select ${columns}`,
    statement`from ${schema}.${table} r where chain_id = ${chainId}`,
    only === undefined ? "" : `and ${only}`,
    `and not exists (select from changed where (${key.map((column) => statement`changed.${column}`).join(", ")})`,
    `= (${key.map((column) => statement`r.${column}`).join(", ")}))`,
    // 0 is an insert: the row did not exist.
    `union all select ${columns} from changed r where operation <> 0`,
  ].join(" ");
}

export type ChangedRowsOptions = {
  schema: string;
  table: string;
  chain: Pick<FinalChain, "chainId" | "checkpoint">;
};

/**
 * Reads the keys of rows that blocks after a chain's final one have changed, each once: all, or some that are chosen at random. The
 * checkpoint must be from the same snapshot.
 */
export async function readChangedKeys<Key extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { schema, table, chain, key }: Omit<FinalRowsOptions, "columns">,
  limit?: number,
): Promise<Key[]> {
  const keys = key.map((column) => statement`${column}`).join(", ");
  const changed = [
    `select ${keys} from`,
    statement`${schema}.${`_reorg__${table}`} where chain_id = $1 and checkpoint > $2`,
    `group by ${keys} order by random() limit $3`,
  ].join(" ");
  return (await client.query<Key>(changed, [chain.chainId, chain.checkpoint, limit ?? null])).rows;
}

/**
 * Reads which rows of a table blocks after a chain's final one have changed: the oldest entry of each row is its final version. The
 * checkpoint must be from the same snapshot. There are as many entries as those blocks made changes, however large the table is.
 *
 * @param keyOf returns a row's key
 * @returns the final version by key, undefined for a row that did not exist
 */
export async function readChangedRows<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { schema, table, chain }: ChangedRowsOptions,
  keyOf: (row: Row) => string,
): Promise<Map<string, Row | undefined>> {
  const { rows } = await client.query<Row & { operation: number }>(
    statement`select * from ${schema}.${`_reorg__${table}`} where chain_id = $1 and checkpoint > $2 order by operation_id desc`,
    [chain.chainId, chain.checkpoint],
  );
  // 0 is an insert: the row did not exist.
  return new Map(rows.map((row) => [keyOf(row), row.operation === 0 ? undefined : row]));
}
