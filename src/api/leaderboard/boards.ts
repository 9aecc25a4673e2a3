import type pg from "pg";
import { staleWhileRevalidate } from "../concurrency/stale-while-revalidate.ts";
import { inSnapshot, openDatabase } from "../database/database.ts";
import { checkpointTime } from "../ponder/index-state.query.ts";
import { type BoardName, type BoardWindow, boardSeconds, maxRank } from "./leaderboard.routes.ts";
import { type LeaderRow, readBoardSize, readLeadersSince } from "./leaders.query.ts";

/** The top of a board, as of a block. */
export type Board = { latest_checkpoint: string; total: number; rows: LeaderRow[] };

export type Boards = (
  chainId: number,
  by: BoardName,
  window: BoardWindow,
) => Promise<{ board: Board | undefined } | undefined>;

const times = { refreshMs: 30_000, staleMs: 60_000, maxWaitMs: 8_000 };

/**
 * Creates a cache of the boards over time windows. Each board is read from everything that happened in its window, over a
 * dedicated pool of few connections, which bounds how many reads run at once. The returned function resolves to undefined
 * if the first read takes longer than a response can wait, and to an undefined board before the first block is indexed.
 */
export function createBoards(pool: pg.Pool): Boards {
  const db = openDatabase(pool);
  const readers = new Map<string, () => Promise<{ board: Board | undefined } | undefined>>();

  return async (chainId, by, window) => {
    const key = `${chainId} ${by} ${window}`;
    const read =
      readers.get(key) ??
      staleWhileRevalidate(
        async () => ({
          board: await inSnapshot(db, async (tx) => {
            const size = await readBoardSize(tx, { chainId, by });
            if (size === undefined) return undefined;
            const since = checkpointTime(size.latest_checkpoint) - boardSeconds[window];
            return { ...size, ...(await readLeadersSince(tx, { chainId, by, since, limit: maxRank })) };
          }),
        }),
        times,
      );
    readers.set(key, read);
    return await read();
  };
}
