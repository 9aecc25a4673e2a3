import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/nothing-indexed.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { invalidParameter } from "../http/invalid-parameter.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { isoTime } from "../market/time.ts";
import { checkpointBlock, checkpointTime } from "../ponder/index-state.query.ts";
import type { Board, Boards } from "./boards.ts";
import { toLeader } from "./leader.mapper.ts";
import {
  type BoardName,
  type BoardWindow,
  type Leaderboard,
  leaderboardRoute,
  maxRank,
} from "./leaderboard.routes.ts";
import { readBoardSize, readLeaders } from "./leaders.query.ts";

export type LeaderboardDeps = { chains: Chains; db: PooledDatabase; boards: Boards };

type Page = { chainId: number; by: BoardName; offset: number; limit: number };

export function createLeaderboard({ chains, db, boards }: LeaderboardDeps) {
  const readAllTimePage = (of: Page) =>
    inSnapshot(db, async (tx): Promise<Board | undefined> => {
      const size = await readBoardSize(tx, of);
      return size && { ...size, rows: await readLeaders(tx, of) };
    });

  async function readWindowPage({ chainId, by, offset, limit }: Page, window: BoardWindow) {
    const read = await boards(chainId, by, window);
    if (read === undefined) throw boardNotReady();
    return read.board && { ...read.board, rows: read.board.rows.slice(offset, offset + limit) };
  }

  return createRouter().openapi(leaderboardRoute, async (c) => {
    const { by, window, page, limit, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const offset = (page - 1) * limit;
    if (offset + limit > maxRank) {
      throw invalidParameter(
        "page",
        `times limit must not exceed ${maxRank}: GraphQL's accounts page through all of them`,
      );
    }
    const of = { chainId, by, offset, limit };
    const board = await (window === "all" ? readAllTimePage(of) : readWindowPage(of, window));
    if (board === undefined) throw nothingIndexed(chainId);
    const { latest_checkpoint: latest, total, rows } = board;
    const body: Leaderboard = {
      ...{ chainId, by, window },
      asOf: { block: checkpointBlock(latest), time: isoTime(checkpointTime(latest)) },
      leaders: rows.map((row, index) => toLeader(row, offset + index + 1)),
      ...{ total, page, limit },
      hasMore: offset + rows.length < total && offset + 2 * limit <= maxRank,
    };
    return c.json(body, 200);
  });
}

function boardNotReady(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    title: "Busy",
    detail: "This leaderboard is being read for the first time: try again in five seconds.",
    retryAfter: 5,
  });
}
