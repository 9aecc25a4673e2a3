import type pg from "pg";
import { literal, statement } from "../../offchain/statement.ts";

/** The last indexed block of each chain. */
export type IndexPosition = Map<number, number>;

type Client = Pick<pg.ClientBase, "query">;

/** Reads how far a schema is indexed. Returns an empty map if it has no tables yet. Throws the driver's error. */
export async function readIndexPosition(client: Client, schema: string): Promise<IndexPosition> {
  const { rows: tables } = await client.query("select to_regclass($1) is not null as exists", [
    `"${schema}"._ponder_checkpoint`,
  ]);
  if (!tables[0].exists) return new Map();
  const { rows } = await client.query<{ chain_id: string; latest_checkpoint: string }>(
    statement`select chain_id, latest_checkpoint from ${schema}._ponder_checkpoint`,
  );
  // A checkpoint has a time of 10 digits, then chain and block of 16 digits each.
  return new Map(
    rows.map((row) => [Number(row.chain_id), Number(row.latest_checkpoint.slice(26, 42))] as const),
  );
}

/**
 * Begins a transaction that makes an indexer wait before it writes another block into a schema, until the transaction ends. Reads
 * continue. Throws the driver's error, also if the current block takes too long. If this process stops or vanishes meanwhile,
 * Postgres ends the transaction after `atMostMs`.
 */
export async function freezeIndex(client: Client, schema: string, { atMostMs = 90_000 } = {}): Promise<void> {
  await client.query("begin");
  await client.query(statement`set local idle_in_transaction_session_timeout = ${literal(String(atMostMs))}`);
  await client.query("set local lock_timeout = '10s'");
  await client.query(statement`lock table ${schema}._ponder_checkpoint in share mode`);
}

/** Whether a position is at least as far as another one, on each of the other's chains. */
export function reachesPosition(position: IndexPosition, other: IndexPosition): boolean {
  return [...other].every(([chain, block]) => (position.get(chain) ?? -1) >= block);
}
