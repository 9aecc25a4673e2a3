import { curve } from "ponder:schema";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { activityLocks } from "../../../offchain/advisory-locks.ts";
import { type Database, queryRows, withAdvisoryLock } from "../database/database.ts";
import { retryOnDeadlock } from "../database/retry.ts";
import { changedTokens } from "../market/changed-tokens.query.ts";
import { lastTradeUpTo, tradersSince } from "../market/windows.query.ts";
import { checkpoints, onchainSchema, ponderMeta } from "../ponder/index-state.query.ts";

/** A chain whose backfill is done, and up to where its activity was last measured. Times in seconds. */
export type MeasuredChain = {
  chain_id: number;
  /** The last indexed block. */
  block: string;
  now: number;
  /** Time of the last block that no reorg can change. */
  settled: number;
  /** Identifies the tables: they are recreated when the indexer starts over. */
  build: string;
  /** The last measurement; null if there is none for these tables. */
  before: { at: number; settled: number } | null;
};

/** Returns no chain while the backfill is running. */
export async function readMeasuredChains(db: Database): Promise<MeasuredChain[]> {
  return await queryRows<MeasuredChain>(
    db,
    sql`select at.chain_id::int, substr(at.latest_checkpoint, 27, 16)::int8 as block,
          left(at.latest_checkpoint, 10)::int as now, left(at.safe_checkpoint, 10)::int as settled, made.build,
          case when state.build is not null then
            json_build_object('at', measured_at, 'settled', settled_at) end as before
        from ${checkpoints} at
        join ${ponderMeta} meta on meta.key = 'app' and meta.value ->> 'is_ready' = '1'
        join lateral (
          select string_agg(indexrelid::text, ' ' order by indexrelid) as build from pg_index
          where indrelid = ${`"${onchainSchema}"."trade"`}::regclass) made on made.build is not null
        left join offchain.token_activity_state state
          on state.schema = ${onchainSchema} and state.chain_id = at.chain_id and state.build = made.build
        order by at.chain_id`,
  );
}

const day = 86_400;

/**
 * Returns every token whose activity may differ from the last measurement: tokens traded or measured after the block that was
 * final then, and tokens with trades that have left the 24-hour window or, after a reorg, are back in it.
 */
export async function readChangedTokens(
  db: Database,
  { chain_id: chainId, now, before }: MeasuredChain,
): Promise<string[]> {
  // Covers tokens whose trades were all reverted, and rows of an earlier indexing run.
  const measured = sql`select token from offchain.token_activity
    where schema = ${onchainSchema} and chain_id = ${chainId} and last_trade_at >= ${before?.settled ?? 0}`;
  const previous = before === null ? undefined : { now: before.at, safe: before.settled };
  const changed = sql.join(
    [measured, ...changedTokens({ chainId, now, before: previous, windows: [day] })],
    sql` union `,
  );
  const rows = await queryRows<{ token: string }>(db, changed);
  return rows.map(({ token }) => token);
}

/** Measures these tokens of a chain, and writes the rows that differ. */
export async function measureTokens(
  db: Database,
  { chain_id: chainId, now }: MeasuredChain,
  tokens: string[],
): Promise<void> {
  const start = sql`${now - day}::int8`;
  const asked = sql`unnest(${sql.param(tokens)}::text[]) asked (token)`;
  const toDate = sql`x.buys_to_date + x.sells_to_date as trades, x.volume_to_date_wei as volume`;
  await db.execute(
    sql`insert into offchain.token_activity as a
          (schema, chain_id, token, volume_24h_wei, trades_24h, traders_24h, last_trade_at)
        select ${onchainSchema}, c.chain_id, c.token, c.volume_to_date_wei - coalesce(before.volume, 0),
          c.buys_to_date + c.sells_to_date - coalesce(before.trades, 0), ${tradersSince(start)}, c.last_trade_at
        from ${asked}
        join ${curve} c on c.chain_id = ${chainId} and c.token = asked.token
        left join lateral (${lastTradeUpTo(start, toDate)}) before on true
        where c.last_trade_at > ${start}
        on conflict (schema, chain_id, token) do update set volume_24h_wei = excluded.volume_24h_wei,
          trades_24h = excluded.trades_24h, traders_24h = excluded.traders_24h, last_trade_at = excluded.last_trade_at
        where (a.volume_24h_wei, a.trades_24h, a.traders_24h, a.last_trade_at)
          is distinct from (excluded.volume_24h_wei, excluded.trades_24h, excluded.traders_24h, excluded.last_trade_at)`,
  );
  await db.execute(
    sql`delete from offchain.token_activity a using ${asked}
        where a.schema = ${onchainSchema} and a.chain_id = ${chainId} and a.token = asked.token
          and not exists (
            select from ${curve} c where c.chain_id = ${chainId} and c.token = a.token and c.last_trade_at > ${start})`,
  );
}

/** Records the block up to which a chain was measured. */
export async function saveMeasured(db: Database, chain: MeasuredChain): Promise<void> {
  await db.execute(
    sql`insert into offchain.token_activity_state as state (schema, chain_id, measured_at, measured_block, settled_at, build)
        values (${onchainSchema}, ${chain.chain_id}, ${chain.now}, ${chain.block}, ${chain.settled}, ${chain.build})
        on conflict (schema, chain_id) do update set measured_at = excluded.measured_at,
          measured_block = excluded.measured_block, settled_at = excluded.settled_at, build = excluded.build
        where (state.measured_at, state.measured_block, state.settled_at, state.build)
          is distinct from (excluded.measured_at, excluded.measured_block, excluded.settled_at, excluded.build)`,
  );
}

/** Deletes the measurements of schemas that no longer exist. */
export async function deleteDroppedSchemas(db: Database): Promise<void> {
  for (const table of [sql`offchain.token_activity`, sql`offchain.token_activity_state`]) {
    await db.execute(sql`delete from ${table} where to_regnamespace(quote_ident(schema)) is null`);
  }
}

/**
 * Runs `work` in a repeatable-read transaction, or not at all while another process is running one. Throws the driver's error if
 * the database fails.
 */
export async function inActivityTransaction(
  pool: pg.Pool,
  work: (tx: Database) => Promise<void>,
): Promise<void> {
  // Locked before the transaction takes its snapshot, so that it sees what the previous holder committed.
  const lock = { key: activityLocks, name: onchainSchema, shouldWait: false };
  await withAdvisoryLock(pool, lock, (client) => retryOnDeadlock(() => transaction(client, work)));
}

async function transaction(client: pg.PoolClient, work: (tx: Database) => Promise<void>): Promise<void> {
  await drizzle(client, { casing: "snake_case" }).transaction(work, { isolationLevel: "repeatable read" });
}
