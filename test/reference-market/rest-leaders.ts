import { formatEther } from "viem";
import { sized } from "../run/long-run.ts";
import {
  type Board,
  type BoardWindow,
  boardNames,
  boardWindows,
  type ExpectedLeader,
  expectedLeaders,
} from "./expected-leaders.ts";
import type { ExpectedMarket } from "./expected-market.ts";
import { isKnownInUsd } from "./expected-results.ts";
import { type ExpectedRow, rowDifferences } from "./row-differences.ts";

// biome-ignore lint/suspicious/noExplicitAny: anything that it lacks shows as a difference.
type Answer = any;

const windows = Object.keys(boardWindows) as BoardWindow[];

/** The windows whose boards are followed by cursor, too: in `npm test` one that moves, and all time. */
const followedWindows = sized<BoardWindow[]>({ usual: ["7d", "all"], long: windows });

/** Compares all pages of the leaderboards with the logs, by number and by cursor. Returns a line for each value that differs. */
export async function leaderDifferences(
  get: (path: string) => Promise<Answer>,
  expected: ExpectedMarket,
): Promise<string[]> {
  const found: string[] = [];
  for (const window of windows) {
    for (const by of boardNames) {
      const leaders = expectedLeaders(expected, by, window).map((leader, index) => ({
        ...answerOf(leader, by, window, expected),
        rank: index + 1,
      }));
      const what = `leaderboard by ${by} in ${window}`;
      const { rows, totals } = await allPages(get, `leaderboard?by=${by}&window=${window}&limit=25`);
      if (totals.some((total) => total !== leaders.length)) found.push(`${what}: total is ${totals}`);
      found.push(...rowDifferences(what, ["rank", "address"], rows, leaders));
      if (!followedWindows.includes(window)) continue;
      const byCursor = await followCursors(get, by, window, 1 + Math.floor(leaders.length / 3));
      found.push(...rowDifferences(`${what} by cursor`, ["rank", "address"], byCursor, leaders));
    }
  }
  return found;
}

async function allPages(get: (path: string) => Promise<Answer>, path: string) {
  const rows: Answer[] = [];
  const totals: number[] = [];
  for (let page = 1; ; page++) {
    const answer = await get(`${path}&page=${page}`);
    rows.push(...answer.leaders);
    totals.push(answer.total);
    if (!answer.hasMore) return { rows, totals };
  }
}

async function followCursors(
  get: (path: string) => Promise<Answer>,
  by: Board,
  window: BoardWindow,
  limit: number,
) {
  const rows: Answer[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const from = cursor === "" ? "" : `&cursor=${cursor}`;
    const answer = await get(`leaderboard?by=${by}&window=${window}&limit=${limit}${from}`);
    rows.push(...answer.leaders);
    cursor = answer.nextCursor;
  }
  return rows;
}

function answerOf(
  leader: ExpectedLeader,
  by: Board,
  window: BoardWindow,
  { positions }: ExpectedMarket,
): ExpectedRow {
  const { address } = leader;
  if (by === "created" || by === "graduated") {
    return { address, tokensCreated: leader.created, tokensGraduated: leader.graduated };
  }
  // On the boards of all time, both are missing if any trade had no rate.
  const isUnknown = window === "all" && !isKnownInUsd(positions.filter(({ account }) => account === address));
  const shown = (amount: bigint | null) => (amount === null || isUnknown ? undefined : formatEther(amount));
  return {
    address,
    trades: leader.trades,
    sells: leader.sells,
    profitableSells: leader.profitableSells,
    volumeBnb: formatEther(leader.volume),
    volumeUsd: shown(leader.volumeUsd),
    realisedBnb: formatEther(leader.realised),
    realisedUsd: shown(leader.realisedUsd),
  };
}
