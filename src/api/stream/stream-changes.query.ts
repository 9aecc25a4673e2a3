import { curve, liquidityChange, token, trade, transfer } from "ponder:schema";
import { and, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { alias } from "drizzle-orm/pg-core";
import type pg from "pg";
import { journalLocks } from "../../../offchain/advisory-locks.ts";
import { eventBlock } from "../../domain/ids.ts";
import { columnList } from "../database/columns.ts";
import { type Database, queryRows, selectRows, withAdvisoryLock } from "../database/database.ts";
import { createdId } from "../market/hidden-token.query.ts";
import {
  type CreatorRecordRow,
  creatorAccount,
  creatorRecordColumns,
  type RiskRow,
  riskColumns,
} from "../market/risk.query.ts";
import { tradeColumns } from "../market/trades.query.ts";
import { checkpoints, isReorganizing, onchainSchema, ponderMeta } from "../ponder/index-state.query.ts";

/** Reads how far the index and the journal of each chain are, ordered by chain. */
export async function readStreamIndex(db: Database): Promise<StreamIndexRow[]> {
  return await queryRows<StreamIndexRow>(
    db,
    sql`select at.chain_id::int, at.latest_checkpoint as latest, at.safe_checkpoint as safe,
          coalesce((meta.value ->> 'is_ready') = '1', false) as is_ready,
          exists (select from offchain.stream_pause where schema = ${onchainSchema}) as is_paused,
          ${isReorganizing} as is_reorganizing,
          meta.value ->> 'started' as start, coalesce(meta.value ->> 'reverted', '') as revert,
          concat_ws(' ', at.xmin, at.latest_checkpoint, at.safe_checkpoint, meta.value ->> 'reverted',
            meta.value ->> 'started') as stamp,
          to_jsonb(state) as state
        from ${checkpoints} at
        left join ${ponderMeta} meta on meta.key = 'app'
        left join offchain.stream_state state on state.schema = ${onchainSchema} and state.chain_id = at.chain_id
        order by at.chain_id`,
  );
}

/** The range in which to look for events that the journal lacks. */
export type StreamRange = {
  chainId: number;
  /** After this position. */
  since: string;
  /** A time, in seconds, that no block after that position precedes. */
  sinceSeconds: number;
  limit: number;
};

type Found = { position: string; fingerprint: string };

const t = alias(trade, "t");
const k = alias(token, "k");
const c = alias(curve, "c");
const l = alias(liquidityChange, "l");

/** A trade with its token and curve. */
export type StreamTradeRow = Awaited<ReturnType<typeof readNewTrades>>[number];

/** Reads trades that the journal lacks, in the order of the chain. */
export async function readNewTrades(db: Database, range: StreamRange) {
  return await selectRows(db, () =>
    db
      .select({
        ...tradeColumns(t),
        position: t.id,
        fingerprint: sql<string>`${tradeFingerprint}`,
        name: k.name,
        symbol: k.symbol,
        creator: k.creator,
        /** The current state of the curve. */
        virtualTokenReserves: c.virtualTokenReserves,
        tokensSold: c.tokensSold,
        totalToSell: c.totalToSell,
        graduated: c.graduated,
      })
      .from(t)
      .leftJoin(k, and(eq(k.chainId, t.chainId), eq(k.address, t.token)))
      .leftJoin(c, and(eq(c.chainId, t.chainId), eq(c.token, t.token)))
      .where(
        and(
          eq(t.chainId, range.chainId),
          gt(t.id, range.since),
          isMissing(range, sql`t.id`, tradeFingerprint),
        ),
      )
      .orderBy(t.id)
      .limit(range.limit),
  );
}

type CreatedRow = Found & {
  chain_id: number;
  address: string;
  creator: string;
  name: string;
  symbol: string;
  burn_percent: number;
  created_at: string;
  created_block: string;
  created_tx: string;
  total_supply_raw: string;
};

export type StreamTokenRow = CreatedRow & RiskRow & CreatorRecordRow;

/** Reads created tokens that the journal lacks, in the order of the chain. */
export async function readNewTokens(db: Database, range: StreamRange): Promise<StreamTokenRow[]> {
  const created = await queryRows<CreatedRow>(
    db,
    sql`select k.*, ${createdPosition} as position, ${tokenFingerprint} as fingerprint from ${token} k
        where k.chain_id = ${range.chainId} and k.created_block >= ${eventBlock(range.since)}
          and ${createdPosition} > ${range.since}
          and ${isMissing(range, createdPosition, tokenFingerprint)}
        order by k.created_block, k.created_log_index limit ${range.limit}`,
  );
  // Most blocks create none.
  if (created.length === 0) return [];
  const records = await queryRows<RiskRow & CreatorRecordRow & { address: string }>(
    db,
    sql`select t.address, ${columnList(riskColumns)}, ${columnList(creatorRecordColumns)} from ${token} t
        left join ${curve} c on c.chain_id = t.chain_id and c.token = t.address ${creatorAccount}
        where t.chain_id = ${range.chainId}
          and t.address = any(${sql.param(created.map(({ address }) => address))}::text[])`,
  );
  const recordOf = new Map(records.map((record) => [record.address, record]));
  return created.map((row) => {
    const record = recordOf.get(row.address);
    if (record === undefined) throw new Error(`Invariant(stream): ${row.address} has gone from the snapshot`);
    return { ...row, ...record };
  });
}

export type StreamGraduationRow = Found & {
  chain_id: number;
  token: string;
  pair: string;
  graduated_at: string;
  name: string | null;
  symbol: string | null;
  creator: string | null;
};

/** Reads graduations that the journal lacks, in the order of the chain. */
export async function readNewGraduations(db: Database, range: StreamRange): Promise<StreamGraduationRow[]> {
  return await queryRows<StreamGraduationRow>(
    db,
    sql`select c.chain_id, c.token, c.pair, c.graduated_at, k.name, k.symbol, k.creator,
          c.graduated_id as position, ${graduationFingerprint} as fingerprint
        from ${curve} c left join ${token} k on k.chain_id = c.chain_id and k.address = c.token
        where c.chain_id = ${range.chainId} and c.graduated and c.graduated_at >= ${range.sinceSeconds}
          and c.graduated_id > ${range.since}
          and ${isMissing(range, sql`c.graduated_id`, graduationFingerprint)}
        order by c.graduated_id limit ${range.limit}`,
  );
}

export type StreamTransferRow = Found & {
  chain_id: number;
  token: string;
  from: string;
  to: string;
  amount_raw: string;
  block: string;
  timestamp: string;
  tx: string;
  log_index: number;
  name: string | null;
  symbol: string | null;
  creator: string | null;
};

/** Reads transfers that the journal lacks, in the order of the chain. */
export async function readNewTransfers(db: Database, range: StreamRange): Promise<StreamTransferRow[]> {
  return await queryRows<StreamTransferRow>(
    db,
    sql`select x.*, k.name, k.symbol, k.creator, x.id as position, ${transferFingerprint} as fingerprint
        from ${transfer} x left join ${token} k on k.chain_id = x.chain_id and k.address = x.token
        where x.chain_id = ${range.chainId} and x.id > ${range.since}
          and ${isMissing(range, sql`x.id`, transferFingerprint)}
        order by x.id limit ${range.limit}`,
  );
}

/** A change of liquidity with its token. */
export type StreamLiquidityRow = Awaited<ReturnType<typeof readNewLiquidity>>[number];

/** Reads liquidity added and removed that the journal lacks, in the order of the chain. A graduation, which adds some, is an event of its own. */
export async function readNewLiquidity(db: Database, range: StreamRange) {
  return await selectRows(db, () =>
    db
      .select({
        ...getTableColumns(l),
        position: l.id,
        fingerprint: sql<string>`${liquidityFingerprint}`,
        name: k.name,
        symbol: k.symbol,
        creator: k.creator,
      })
      .from(l)
      .leftJoin(k, and(eq(k.chainId, l.chainId), eq(k.address, l.token)))
      .leftJoin(c, and(eq(c.chainId, l.chainId), eq(c.token, l.token)))
      .where(
        and(
          eq(l.chainId, range.chainId),
          gt(l.id, range.since),
          sql`c.graduated_id is distinct from l.id`,
          isMissing(range, sql`l.id`, liquidityFingerprint),
        ),
      )
      .orderBy(l.id)
      .limit(range.limit),
  );
}

/** Reads ids of the journal's events that are no longer in the tables, in reverse order of the chain. */
export async function readLostEvents(
  db: Database,
  { chainId, since }: Pick<StreamRange, "chainId" | "since">,
): Promise<number[]> {
  const liquidityNow = sql`(
    select ${liquidityFingerprint}
    from ${liquidityChange} l left join ${token} k on k.chain_id = l.chain_id and k.address = l.token
    where l.chain_id = ${chainId} and l.id = e.position)`;
  const rows = await queryRows<{ id: string }>(
    db,
    // Subqueries in an expression are looked up by key for each event; a join might read all of a table without statistics.
    sql`select e.id from offchain.stream_event e
        where e.schema = ${onchainSchema} and e.chain_id = ${chainId} and e.current and e.position > ${since}
          and e.fingerprint is distinct from case e.kind
            when 'trade' then (
              select ${tradeFingerprint}
              from ${trade} t left join ${token} k on k.chain_id = t.chain_id and k.address = t.token
              where t.chain_id = ${chainId} and t.id = e.position)
            when 'transfer' then (
              select ${transferFingerprint}
              from ${transfer} x left join ${token} k on k.chain_id = x.chain_id and k.address = x.token
              where x.chain_id = ${chainId} and x.id = e.position)
            when 'liquidity_added' then ${liquidityNow}
            when 'liquidity_removed' then ${liquidityNow}
            when 'created' then (
              select ${tokenFingerprint} from ${token} k
              where k.chain_id = ${chainId} and k.address = e.mint and ${createdPosition} = e.position)
            when 'graduated' then (
              select ${graduationFingerprint}
              from ${curve} c left join ${token} k on k.chain_id = c.chain_id and k.address = c.token
              where c.chain_id = ${chainId} and c.token = e.mint and c.graduated_id = e.position)
          end
        order by e.position desc`,
  );
  return rows.map(({ id }) => Number(id));
}

const createdPosition = createdId("k");

// The fingerprints cover every field of an event that may change when a reorg replaces its block.
const tokenNow = sql`k.creator, k.name, k.symbol`;
const tradeFingerprint = sql`md5(concat_ws('|', t.tx, t.trader, t.venue, t.side, t.bnb_amount_wei, t.token_amount_raw,
  t.bnb_reserves_wei, t.token_reserves_raw, t.timestamp, t.bnb_usd_x8, t.token, ${tokenNow}))`;
const transferFingerprint = sql`md5(concat_ws('|', x.tx, x."from", x."to", x.amount_raw, x.timestamp, x.token, ${tokenNow}))`;
const liquidityFingerprint = sql`md5(concat_ws('|', l.tx, l.pair, l.provider, l.kind, l.bnb_amount_wei, l.token_amount_raw,
  l.bnb_reserves_wei, l.token_reserves_raw, l.timestamp, l.token, ${tokenNow}))`;
const tokenFingerprint = sql`md5(concat_ws('|', k.created_tx, k.created_at, k.burn_percent, k.address, ${tokenNow}))`;
const graduationFingerprint = sql`md5(concat_ws('|', c.pair, c.graduated_at, c.token, ${tokenNow}))`;

function isMissing({ chainId }: StreamRange, position: SQL, fingerprint: SQL): SQL {
  return sql`not exists (
    select from offchain.stream_event e where e.schema = ${onchainSchema} and e.chain_id = ${chainId} and e.current
      and e.position = ${position} and e.fingerprint = ${fingerprint})`;
}

/**
 * Runs `work` in a snapshot of the on-chain tables, while no other process writes the journal. Notifies all processes if it resolves
 * to true. Throws the driver's error if the database fails.
 */
export async function inJournalTransaction(
  pool: pg.Pool,
  work: (tx: Database) => Promise<boolean>,
): Promise<void> {
  // The lock is taken before the transaction begins, so that its snapshot includes what the previous writer committed.
  await withAdvisoryLock(pool, { key: journalLocks, name: onchainSchema, shouldWait: true }, (client) =>
    drizzle(client, { casing: "snake_case" }).transaction(
      async (tx) => {
        // Whatever the server's default: an id that was sent to a client must not be assigned again after a crash.
        await tx.execute(sql`set local synchronous_commit = on`);
        await lockStreamTables(tx);
        if (await work(tx)) await tx.execute(sql`notify offchain_stream`);
      },
      { isolationLevel: "repeatable read" },
    ),
  );
}

/** Keeps `npm run dev` from replacing the tables after the snapshot, which would then see them empty. */
async function lockStreamTables(tx: Database): Promise<void> {
  await tx.execute(
    sql`lock table ${token}, ${curve}, ${trade}, ${transfer}, ${liquidityChange}, ${checkpoints} in access share mode`,
  );
}

/** Ponder's records of a chain, and how far its journal is (`state`, null if there is none). */
export type StreamIndexRow = {
  chain_id: number;
  latest: string;
  safe: string;
  /** Whether the backfill is done. */
  is_ready: boolean;
  /** Whether writing the journal is paused for everyone. */
  is_paused: boolean;
  /** Whether a reorg has reverted rows, and the next block has not been indexed yet. */
  is_reorganizing: boolean;
  /** Identifies the last start of the indexer; null if that was an earlier version, which didn't say. */
  start: string | null;
  /** Identifies the last time that rows were reverted, by a start or a reorg. */
  revert: string;
  /** Changes whenever anything in the tables does. */
  stamp: string;
  state: StreamStateRow | null;
};

type StreamStateRow = {
  begun: number;
  stamp: string | null;
  /** `start` and `revert` at the last comparison. */
  build: string;
  trigger: string;
  latest_block: number;
  compared: string;
  settled: string;
  settled_at: number;
};
