import type pg from "pg";
import { checkpointBlock, checkpointTime } from "../../../config/parse.ts";
import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/not-found.ts";
import { staleWhileRevalidate } from "../concurrency/single-flight.ts";
import { inSnapshot, openDatabase, type PooledDatabase } from "../database/database.ts";
import { type KeysetPosition, rankedOffset, toRankedPage } from "../http/cursor.ts";
import { invalidParameter, ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { formatAmount } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import {
  type BoardName,
  type BoardWindow,
  boardSeconds,
  cursorOf,
  type Leader,
  type Leaderboard,
  leaderboardRoute,
  maxRank,
} from "./leaderboard.routes.ts";
import { type LeaderRow, readBoardSize, readLeaders, readLeadersSince } from "./leaders.query.ts";

export type LeaderboardDeps = { chains: Chains; db: PooledDatabase; boards: Boards };

type Page = Parameters<typeof readLeaders>[1];

export function createLeaderboard({ chains, db, boards }: LeaderboardDeps) {
  const readAllTimePage = (of: Page) =>
    inSnapshot(db, async (tx): Promise<BoardPage | undefined> => {
      const size = await readBoardSize(tx, of);
      return size && { ...size, ...(await readLeaders(tx, of)) };
    });

  async function readWindowPage(
    { chainId, by, after, offset, limit }: Page,
    window: BoardWindow,
  ): Promise<BoardPage | undefined> {
    const read = await boards(chainId, by, window);
    if (read === undefined) throw boardNotReady();
    if (read.board === undefined) return undefined;
    const { rows, ...board } = read.board;
    const ahead = after === undefined ? offset : rows.filter((row) => !isBehind(row, by, after)).length;
    return { ...board, ahead, rows: rows.slice(ahead, ahead + limit) };
  }

  return createRouter().openapi(leaderboardRoute, async (c) => {
    const { by, window, page, cursor, limit, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const offset = rankedOffset(
      { cursor, page, limit },
      maxRank,
      "GraphQL's accounts page through all of them",
    );
    const isSame = cursor?.chainId === chainId && cursor.by === by && cursor.window === window;
    if (cursor !== undefined && !isSame) {
      throw invalidParameter(
        "cursor",
        "is of another board: repeat by, window and chainId, or start again without cursor",
      );
    }
    // One row more than the page, to know whether there is a next page.
    const of = { chainId, by, after: cursor?.position, offset, limit: limit + 1 };
    const board = await (window === "all" ? readAllTimePage(of) : readWindowPage(of, window));
    if (board === undefined) throw nothingIndexed(chainId);
    const { latest_checkpoint: latest, total, ahead } = board;
    const { rows, place } = toRankedPage(
      board.rows,
      { ahead, page, limit, maxRank, kind: cursorOf(chainId, by, window) },
      (row) => ({ first: String(rankedValue(row, by)), second: row.address }),
    );
    const body: Leaderboard = {
      chainId,
      by,
      window,
      asOf: { block: checkpointBlock(latest), time: isoTime(checkpointTime(latest)) },
      leaders: rows.map((row, index) => toLeader(row, ahead + index + 1)),
      total,
      ...place,
    };
    return c.json(body, 200);
  });
}

/** The value by which a board ranks an account, in wei or as a number. */
function rankedValue(row: LeaderRow, by: BoardName): bigint {
  const { realised_wei, volume_wei, trades, tokens_created, tokens_graduated } = row;
  const values = {
    realised: realised_wei,
    volume: volume_wei,
    trades,
    created: tokens_created,
    graduated: tokens_graduated,
  };
  return BigInt(values[by] ?? 0);
}

/** Whether an account comes after a position on a board. */
function isBehind(row: LeaderRow, by: BoardName, { first, second }: KeysetPosition): boolean {
  const [value, place] = [rankedValue(row, by), BigInt(first)];
  return value < place || (value === place && row.address < second);
}

function boardNotReady(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    detail: "This leaderboard is being read for the first time: try again in five seconds.",
    retryAfter: 5,
  });
}

/** Maps an account on a board to its response. */
function toLeader(row: LeaderRow, rank: number): Leader {
  const { address, trades, sells, volume_wei, realised_wei, tokens_created, tokens_graduated } = row;
  if (volume_wei === undefined || realised_wei === undefined) {
    return { rank, address, tokensCreated: tokens_created, tokensGraduated: tokens_graduated };
  }
  return {
    rank,
    address,
    realisedBnb: formatAmount(realised_wei),
    realisedUsd: toUsd(row.realised_usd_x18),
    volumeBnb: formatAmount(volume_wei),
    volumeUsd: toUsd(row.volume_usd_x18),
    trades,
    sells,
    profitableSells: row.profitable_sells,
  };
}

/** Undefined, which JSON leaves out, if there was no BNB/USD rate. */
const toUsd = (usdX18: string | null | undefined) =>
  usdX18 === null || usdX18 === undefined ? undefined : formatAmount(usdX18);

/** The top of a board, as of a block. */
type Board = { latest_checkpoint: string; total: number; rows: LeaderRow[] };

/** A page of a board, and how many rows come before it. */
type BoardPage = Board & { ahead: number };

type Boards = (
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
