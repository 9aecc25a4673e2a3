import { createRoute, z } from "@hono/zod-openapi";
import { checkpointBlock, checkpointTime } from "../../../config/parse.ts";
import { toUsd } from "../../domain/price.ts";
import type { Chains } from "../chain/chains.ts";
import { nothingIndexed } from "../chain/not-found.ts";
import { staleWhileRevalidate } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, lastDays, minBlock } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { busy } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { toTradedToDate, toTradeTotals } from "../market/market.mapper.ts";
import { formatAmount, formatRate } from "../market/price.ts";
import { daySeconds, isoDay, isoTime, perWindow } from "../market/time.ts";
import type { TotalsRow } from "../market/windows.query.ts";
import { type DaysRow, type LaunchpadTotals, readDays, readStats, type StatsRow } from "./stats.query.ts";
import { type Days, days, type Stats, stats } from "./stats.schema.ts";

export const maxDays = 31;

export const daysRoute = createRoute({
  method: "get",
  path: "/api/stats/days",
  operationId: "getDailyStats",
  tags: ["Market"],
  summary: "The launchpad's daily volume, trades, and tokens created and graduated, for charts.",
  description:
    "Days begin at midnight UTC; the last one is that of the last indexed block. Read at most every 10 seconds, on demand: `asOf` has the block.",
  middleware: withEtag(),
  request: {
    query: z.object({
      days: lastDays(maxDays),
      chainId,
    }),
  },
  responses: {
    ...jsonAnswers("The days.", days),
    ...problems({
      ...chainProblems,
      503: "The database is unavailable, or nothing is indexed yet.",
    }),
  },
});

export const statsRoute = createRoute({
  method: "get",
  path: "/api/stats",
  operationId: "getStats",
  tags: ["Market"],
  summary: "The launchpad's totals: tokens, trades and volume, to date and by time window.",
  description: "As of the last indexed block of the chain, at which the windows end.",
  middleware: withEtag(),
  request: { query: z.object({ chainId, minBlock }) },
  responses: {
    ...jsonAnswers("The totals.", stats),
    ...problems({
      ...chainProblems,
      503: "The database is unavailable, or nothing is indexed yet.",
    }),
  },
});

export type StatsDeps = {
  chains: Chains;
  db: Database;
  /** How many registered tokens of a chain are in the list. */
  countListed: (chainId: number) => Promise<number>;
};

export function createStats({ chains, db, countListed }: StatsDeps) {
  return createRouter().openapi(statsRoute, async (c) => {
    const { id: chainId } = chains.choose(c.req.valid("query").chainId);
    const [row, registered] = await Promise.all([readStats(db, chainId), countListed(chainId)]);
    if (row === undefined) throw nothingIndexed(chainId);
    return c.json(toStats(row, { chainId, registered }), 200);
  });
}

/** Maps the totals of a chain to their response. */
function toStats(row: StatsRow, { chainId, registered }: { chainId: number; registered: number }): Stats {
  const hasRate = row.bnb_usd_x8 !== null;
  return {
    chainId,
    asOf: {
      block: checkpointBlock(row.latest_checkpoint),
      time: isoTime(checkpointTime(row.latest_checkpoint)),
    },
    tokens: row.tokens,
    registeredTokens: registered,
    graduatedTokens: row.graduated,
    inCurvesBnb: formatAmount(row.in_curves_wei),
    ...toTradedToDate(row, hasRate),
    ...toUsdFields(row),
    windows: perWindow((_, index) => ({
      ...toTradeTotals(row, row.before_windows[index] ?? null, hasRate),
      tokensCreated: row.created_in_windows[index] ?? 0,
      tokensGraduated: row.graduated_in_windows[index] ?? 0,
    })),
  };
}

function toUsdFields({
  in_curves_wei,
  bnb_usd_x8,
  bnb_usd_at,
}: StatsRow): Pick<Stats, "inCurvesUsd" | "bnbUsd" | "bnbUsdAt"> {
  if (bnb_usd_x8 === null || bnb_usd_at === null) return {};
  const inCurves = toUsd(BigInt(in_curves_wei), BigInt(bnb_usd_x8));
  return {
    inCurvesUsd: formatAmount(String(inCurves)),
    bnbUsd: formatRate(bnb_usd_x8),
    bnbUsdAt: isoTime(bnb_usd_at),
  };
}

const times = { refreshMs: 10_000, staleMs: 20_000, maxWaitMs: 8_000 };

/** Each chain's days are read once for all clients, and not for each block. */
export function createDays({ chains, db }: { chains: Chains; db: Database }) {
  const readers = new Map<number, () => Promise<{ row: DaysRow | undefined } | undefined>>();

  function readShared(chainId: number) {
    const read =
      readers.get(chainId) ??
      staleWhileRevalidate(async () => ({ row: await readDays(db, chainId, maxDays) }), times);
    readers.set(chainId, read);
    return read();
  }

  return createRouter().openapi(daysRoute, async (c) => {
    const { days, chainId: asked } = c.req.valid("query");
    const { id: chainId } = chains.choose(asked);
    const read = await readShared(chainId);
    if (read === undefined) throw busy("reads of past days");
    if (read.row === undefined) throw nothingIndexed(chainId);
    return c.json(toDays(read.row, { chainId, days }), 200);
  });
}

/** The totals of a chain's last days. */
function toDays(row: DaysRow, { chainId, days }: { chainId: number; days: number }): Days {
  let before = row.before;
  const all = row.after.map((after, index): Days["days"][number] => {
    // A day without trades ends as it began.
    const ended = after ?? before ?? [0, 0, "0", "0"];
    const traded = toTradeTotals(toTotals(ended), before, row.has_rate);
    before = ended;
    return {
      day: isoDay(Number(row.first_day) + index * daySeconds),
      ...traded,
      tokensCreated: row.created?.[index] ?? 0,
      tokensGraduated: row.graduated?.[index] ?? 0,
    };
  });
  return {
    chainId,
    asOf: {
      block: checkpointBlock(row.latest_checkpoint),
      time: isoTime(checkpointTime(row.latest_checkpoint)),
    },
    days: all.slice(-days),
  };
}

const toTotals = ([buys, sells, wei, usd]: LaunchpadTotals): TotalsRow => ({
  buys_to_date: buys,
  sells_to_date: sells,
  volume_to_date_wei: wei,
  volume_to_date_usd_x18: usd,
});
