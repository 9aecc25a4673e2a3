import type pg from "pg";
import { refreshed } from "../concurrency/refreshed.ts";
import { inSnapshot, openDatabase } from "../database/database.ts";
import { checkpointTime } from "../ponder/index-state.query.ts";
import { type BoardName, type BoardWindow, boardSeconds, deepestRank } from "./leaderboard.routes.ts";
import { type LeaderRow, readBoardSize, readLeadersSince } from "./leaders.query.ts";

/** The first of a board in a window, as of a block. */
export type Board = { latest_checkpoint: string; total: number; rows: LeaderRow[] };

export type Boards = (
  chainId: number,
  by: BoardName,
  window: BoardWindow,
) => Promise<{ board: Board | undefined } | undefined>;

const times = { refreshMs: 30_000, staleMs: 60_000, patienceMs: 8_000 };

/**
 * Leaderboards of windows. Each is one reading of all that happened in it, by a pool of its own with few connections: however
 * many ask, the database does no more of them at a time. The returned function resolves to undefined where the first reading takes
 * longer than an answer can wait, and to a board that is undefined before the first block is indexed.
 */
export function createBoards(pool: pg.Pool): Boards {
  const db = openDatabase(pool);
  const kept = new Map<string, () => Promise<{ board: Board | undefined } | undefined>>();

  return async (chainId, by, window) => {
    const key = `${chainId} ${by} ${window}`;
    const read =
      kept.get(key) ??
      refreshed(
        async () => ({
          board: await inSnapshot(db, async (tx) => {
            const size = await readBoardSize(tx, { chainId, by });
            if (size === undefined) return undefined;
            const since = checkpointTime(size.latest_checkpoint) - boardSeconds[window];
            return { ...size, ...(await readLeadersSince(tx, { chainId, by, since, limit: deepestRank })) };
          }),
        }),
        times,
      );
    kept.set(key, read);
    return await read();
  };
}
