import { account, curve, launchpad, token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { type PageStart, rankedPage } from "../market/ranked-page.query.ts";
import { tradeSums } from "../market/trades.query.ts";
import { checkpoints } from "../ponder/index-state.query.ts";
import { type BoardName, maxRank } from "./leaderboard.routes.ts";

/**
 * Amounts in wei, and in USD with 18 decimals, which is null if a trade had no rate. Boards of traders and of creators
 * each have half of the fields.
 */
export type LeaderRow = {
  address: string;
  trades?: number;
  sells?: number;
  profitable_sells?: number;
  volume_wei?: string;
  volume_usd_x18?: string | null;
  realised_wei?: string;
  realised_usd_x18?: string | null;
  tokens_created?: number;
  tokens_graduated?: number;
};

/** Each board: its order, the type of that, which accounts are on it, its columns, and the launchpad's column with its size. */
const boards: Record<BoardName, { order: SQL; type: SQL; isOnIt: SQL; columns: SQL; total: SQL }> = (() => {
  const traded = sql`trades, sells, profitable_sells, volume_wei, volume_usd_x18, realised_wei, realised_usd_x18`;
  const created = sql`tokens_created, tokens_graduated`;
  const [amount, number] = [sql`numeric`, sql`int8`];
  const board = (order: SQL, type: SQL, columns: SQL, total: SQL, isOnIt = sql`${order} > 0`) => ({
    order,
    type,
    columns,
    total,
    isOnIt,
  });
  return {
    realised: board(sql`realised_wei`, amount, traded, sql`sellers`, sql`sells > 0`),
    volume: board(sql`volume_wei`, amount, traded, sql`traders`, sql`trades > 0`),
    trades: board(sql`trades`, number, traded, sql`traders`),
    created: board(sql`tokens_created`, number, created, sql`creators`),
    graduated: board(sql`tokens_graduated`, number, created, sql`graduated_creators`),
  };
})();

export type BoardSize = { latest_checkpoint: string; total: number };

/** Reads the all-time size of a board. Returns undefined before the first block is indexed. */
export async function readBoardSize(
  db: Database,
  { chainId, by }: { chainId: number; by: BoardName },
): Promise<BoardSize | undefined> {
  const [row] = await queryRows<BoardSize>(
    db,
    sql`select at.latest_checkpoint, coalesce(${boards[by].total}, 0) as total
        from ${checkpoints} at left join ${launchpad} l on l.chain_id = at.chain_id where at.chain_id = ${chainId}`,
  );
  return row;
}

type LeadersQuery = PageStart & { chainId: number; by: BoardName; limit: number };

/**
 * Reads a page of an all-time board, from the accounts' totals. `ahead` is how many accounts come before the first row, counted up to
 * {@link maxRank}.
 */
export async function readLeaders(
  db: Database,
  { chainId, by, limit, ...start }: LeadersQuery,
): Promise<{ ahead: number; rows: LeaderRow[] }> {
  const { order, type, isOnIt, columns } = boards[by];
  const isOnBoard = sql`chain_id = ${chainId} and ${isOnIt}`;
  const { isAfter, ahead, offset } = rankedPage(start, {
    from: sql`${account}`,
    where: isOnBoard,
    first: order,
    second: sql`address`,
    type,
    maxRank,
  });
  const rows = await queryRows<LeaderRow & { ahead: number }>(
    db,
    sql`select address, ${columns}, ${ahead} as ahead from ${account} where ${isOnBoard} and ${isAfter}
        order by ${order} desc, address desc limit ${limit} offset ${offset}`,
  );
  return { ahead: rows[0]?.ahead ?? 0, rows };
}

export type LeadersSinceQuery = { chainId: number; by: BoardName; since: number; limit: number };

/** Reads the top of a board and its size, from the trades, creations and graduations later than `since` (seconds). */
export async function readLeadersSince(
  db: Database,
  { chainId, by, since, limit }: LeadersSinceQuery,
): Promise<{ rows: LeaderRow[]; total: number }> {
  const { order, isOnIt, columns } = boards[by];
  const counted = by === "created" || by === "graduated" ? creators : traders;
  const rows = await queryRows<LeaderRow & { total: string }>(
    db,
    sql`select address, ${columns}, count(*) over () as total from (${counted(chainId, since)}) counted
        where ${isOnIt} order by ${order} desc, address desc limit ${limit}`,
  );
  return { rows: rows.map(({ total: _, ...row }) => row), total: Number(rows[0]?.total ?? 0) };
}

const traders = (chainId: number, since: number) =>
  sql`select trader as address, count(*)::int as trades, ${tradeSums}
      from ${trade} where chain_id = ${chainId} and timestamp > ${since} group by trader`;

const creators = (chainId: number, since: number) =>
  sql`select address, coalesce(made.tokens, 0) as tokens_created, coalesce(graduated.tokens, 0) as tokens_graduated
      from (
        select creator as address, count(*)::int as tokens from ${token}
        where chain_id = ${chainId} and created_at > ${since} group by creator
      ) made
      full join (
        select t.creator as address, count(*)::int as tokens
        from ${curve} c join ${token} t on t.chain_id = c.chain_id and t.address = c.token
        where c.chain_id = ${chainId} and c.graduated and c.graduated_at > ${since} group by t.creator
      ) graduated using (address)`;
