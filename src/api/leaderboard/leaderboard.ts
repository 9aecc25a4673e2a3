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
  deepestRank,
  type Leaderboard,
  leaderboardRoute,
} from "./leaderboard.routes.ts";
import { readBoardSize, readLeaders } from "./leaders.query.ts";

export type LeaderboardDeps = { chains: Chains; db: PooledDatabase; boards: Boards };

type Page = { chainId: number; by: BoardName; offset: number; limit: number };

export function createLeaderboard({ chains, db, boards }: LeaderboardDeps) {
  const pageOfAll = (of: Page) =>
    inSnapshot(db, async (tx): Promise<Board | undefined> => {
      const size = await readBoardSize(tx, of);
      return size && { ...size, rows: await readLeaders(tx, of) };
    });

  async function pageOfWindow({ chainId, by, offset, limit }: Page, window: BoardWindow) {
    const read = await boards(chainId, by, window);
    if (read === undefined) throw beingRead();
    return read.board && { ...read.board, rows: read.board.rows.slice(offset, offset + limit) };
  }

  return createRouter().openapi(leaderboardRoute, async (c) => {
    const { by, window, page, limit, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const offset = (page - 1) * limit;
    if (offset + limit > deepestRank) {
      throw invalidParameter(
        "page",
        `times limit must not exceed ${deepestRank}: GraphQL's accounts page through all of them`,
      );
    }
    const of = { chainId, by, offset, limit };
    const board = await (window === "all" ? pageOfAll(of) : pageOfWindow(of, window));
    if (board === undefined) throw nothingIndexed(chainId);
    const { latest_checkpoint: latest, total, rows } = board;
    const body: Leaderboard = {
      ...{ chainId, by, window },
      asOf: { block: checkpointBlock(latest), time: isoTime(checkpointTime(latest)) },
      leaders: rows.map((row, index) => toLeader(row, offset + index + 1)),
      ...{ total, page, limit },
      hasMore: offset + rows.length < total && offset + 2 * limit <= deepestRank,
    };
    return c.json(body, 200);
  });
}

function beingRead(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    title: "Busy",
    detail: "This leaderboard is being read for the first time: try again in five seconds.",
    retryAfter: 5,
  });
}
