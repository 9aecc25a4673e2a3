import { createRoute, z } from "@hono/zod-openapi";
import { checkpointTime } from "../../../config/parse.ts";
import { minBigint } from "../../domain/amounts.ts";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import { defaultCandles } from "../concurrency/read-lanes.ts";
import { inSnapshot, type PooledDatabase } from "../database/database.ts";
import { decimal, jsonAnswers, usd } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { chainId, inOrder, minBlock, mintParameter, time, wholeNumber } from "../http/parameters.schema.ts";
import { problems, tokenProblems } from "../http/problem.schema.ts";
import { createRouter } from "../http/router.ts";
import { formatAmount, formatPrice } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import { type CandleBoundsRow, type CandleRow, readCandleBounds, readCandles } from "./candles.query.ts";
import { type CandleRange, candleRange, type Interval, intervalSpec, intervals } from "./intervals.ts";

const maxCandles = 1_500;

const price = (what: string) => decimal(`BNB for one token: ${what}.`);

const candle = z
  .object({
    time: z.int().openapi({ description: "When the interval began, in seconds since 1970." }),
    openTime: z.iso.datetime().openapi({ description: "The same as ISO 8601." }),
    openBnb: price("the price before the interval, which is the previous candle's close"),
    highBnb: price("the highest price, including the open"),
    lowBnb: price("the lowest price, including the open"),
    closeBnb: price("after the last trade, on curve or DEX"),
    volumeBnb: decimal("BNB traded, buys and sells."),
    volumeTokens: decimal("Tokens traded, buys and sells, in whole tokens."),
    trades: z
      .int()
      .min(0)
      .openapi({ description: "0: nothing was traded, and the price stays at the last close." }),
    openUsd: usd(
      "USD for one token at the rate of the trade that set the price; for the opening price, at the rate when the curve opened.",
    ),
    highUsd: usd("As openUsd."),
    lowUsd: usd("As openUsd."),
    closeUsd: usd("As openUsd."),
    volumeUsd: usd("USD traded, each trade at the rate of its time."),
  })
  .openapi("Candle");

export type Candle = z.input<typeof candle>;

const candles = z
  .object({
    mint: z.string(),
    chainId: z.int(),
    interval: z.enum(intervals),
    candles: z.array(candle),
  })
  .openapi("Candles");

export type Candles = z.input<typeof candles>;

const query = z
  .object({
    interval: z
      .enum(intervals, `must be one of ${intervals.join(", ")}`)
      .default("1m")
      .openapi({
        description:
          "The length of a candle. Candles begin at multiples of it since 1970, in UTC; weeks begin on Monday.",
      }),
    from: time.optional().openapi({
      description:
        "Seconds since 1970, or ISO 8601. The first candle is the one that contains this time. If left out, the answer has the last `limit` candles up to `to`.",
    }),
    to: time.optional().openapi({
      description:
        "Seconds since 1970, or ISO 8601. The last candle is the one that contains this time. If left out or later than the last indexed block, that block's time.",
    }),
    limit: wholeNumber(1, maxCandles)
      .optional()
      .default(defaultCandles)
      .openapi({ default: defaultCandles, description: "The maximum number of candles." }),
    chainId,
    minBlock,
  })
  .refine(...inOrder("from", "to"));

export const candlesRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/candles",
  operationId: "getCandles",
  tags: ["Market"],
  summary: "A token's candles: open, high, low, close and volume, in one series across curve and DEX.",
  description: [
    "The oldest first and without gaps: an interval without trades is a flat candle at the last close.",
    "The first candle is the one of the token's creation, at the price at which its curve opened; the last is the one of the last indexed block or of `to`, and changes until its interval is over.",
    "If the range has more candles than `limit`, the answer has the first ones if `from` is given, else the last ones.",
    "To continue: for older ones, `to` = the first candle's time - 1 without `from`; for newer ones, `from` = the last candle's time + the interval.",
    "Prices are those after each trade. Adding or removing DEX liquidity does not affect candles.",
  ].join(" "),
  middleware: withEtag(),
  request: { params: mintParameter, query },
  responses: {
    ...jsonAnswers("Candles, the oldest first. Empty if there are none in that range.", candles),
    ...problems(tokenProblems),
  },
});

export function createCandles({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(candlesRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const { chainId, minBlock: _, ...request } = c.req.valid("query");
    const chain = chains.choose(chainId);
    const candles = await loadCandles(db, { chainId: chain.id, mint, ...request });
    if (candles === undefined) throw unknownToken(mint, chain.id);
    const { interval } = request;
    const body: Candles = { mint, chainId: chain.id, interval, candles: candles.map(toCandle) };
    return c.json(body, 200);
  });
}

/** Leaves out the USD fields if no rate was known at the time. */
function toCandle(row: CandleRow): Candle {
  return {
    time: Number(row.open_time),
    openTime: isoTime(row.open_time),
    openBnb: formatPrice(row.open_bnb_x36),
    highBnb: formatPrice(row.high_bnb_x36),
    lowBnb: formatPrice(row.low_bnb_x36),
    closeBnb: formatPrice(row.close_bnb_x36),
    volumeBnb: formatAmount(row.volume_wei),
    volumeTokens: formatAmount(row.volume_raw),
    trades: row.trades,
    ...toUsdFields(row),
  };
}

type UsdFields = Pick<Candle, "openUsd" | "highUsd" | "lowUsd" | "closeUsd" | "volumeUsd">;

function toUsdFields({
  open_usd_x36,
  high_usd_x36,
  low_usd_x36,
  close_usd_x36,
  volume_usd_x18,
}: CandleRow): UsdFields {
  if (open_usd_x36 === null || high_usd_x36 === null || low_usd_x36 === null) return {};
  if (close_usd_x36 === null) return {};
  return {
    openUsd: formatPrice(open_usd_x36),
    highUsd: formatPrice(high_usd_x36),
    lowUsd: formatPrice(low_usd_x36),
    closeUsd: formatPrice(close_usd_x36),
    volumeUsd: formatAmount(volume_usd_x18 ?? "0"),
  };
}

export type CandleRequest = {
  chainId: number;
  mint: string;
  interval: Interval;
  /** Seconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  /** The maximum number of candles. */
  limit: number;
};

/** Returns a token's candles without gaps, the oldest first; undefined if the index does not have the token. */
export async function loadCandles(
  db: PooledDatabase,
  { from, to, limit, ...series }: CandleRequest,
): Promise<CandleRow[] | undefined> {
  return await inSnapshot(db, async (tx) => {
    const bounds = await readCandleBounds(tx, series);
    if (bounds === undefined) return undefined;
    const begin = firstMoment(bounds);
    if (begin === undefined) return [];
    const range = candleRange({
      interval: series.interval,
      begin,
      end: BigInt(checkpointTime(bounds.latest_checkpoint)),
      from: from === undefined ? undefined : BigInt(from),
      to: to === undefined ? undefined : BigInt(to),
      limit,
    });
    if (range === undefined) return [];
    return fillGaps(
      await readCandles(tx, { ...series, ...range }),
      range,
      series.interval,
      openingPrice(bounds),
    );
  });
}

/** When the candles begin: with the token or, if no opening price is known, with the first trade; or after those that were dropped. */
function firstMoment(bounds: CandleBoundsRow): bigint | undefined {
  if (bounds.dropped_hour !== null) return BigInt(bounds.dropped_hour) + 3_600n;
  const traded = bounds.first_open_time === null ? undefined : BigInt(bounds.first_open_time);
  if (openingPrice(bounds) === undefined || bounds.created_at === "0") return traded;
  // Custom contracts may emit trades before they announce the token.
  return minBigint(BigInt(bounds.created_at), traded ?? BigInt(bounds.created_at));
}

function openingPrice({ opening_price_bnb_x36, opening_price_usd_x36 }: CandleBoundsRow): Close | undefined {
  if (opening_price_bnb_x36 === null || opening_price_bnb_x36 === "0") return undefined;
  return { close_bnb_x36: opening_price_bnb_x36, close_usd_x36: opening_price_usd_x36 };
}

/** The price at the end of an interval, with 36 decimals. The one in USD is null if no rate was known. */
type Close = Pick<CandleRow, "close_bnb_x36" | "close_usd_x36">;

/**
 * Returns one candle for every interval of the range, whose size the caller limits: without trades, a flat one at the previous
 * close. Intervals before any price is known are left out.
 *
 * @param traded the candles with trades, the oldest first; the last one before the range provides its first open
 * @param opening the price before the first trade
 */
export function fillGaps(
  traded: CandleRow[],
  { first, last }: CandleRange,
  interval: Interval,
  opening: Close | undefined,
): CandleRow[] {
  const earlier = traded.filter(({ open_time }) => BigInt(open_time) < first);
  const byTime = new Map(traded.map((row) => [row.open_time, row]));
  let close: Close | undefined = earlier.at(-1) ?? opening;
  const { seconds } = intervalSpec(interval);
  const filled: CandleRow[] = [];
  for (let time = first; time <= last; time += seconds) {
    const row = byTime.get(String(time)) ?? (close && flatCandle(String(time), close));
    if (row === undefined) continue;
    filled.push(row);
    close = row;
  }
  return filled;
}

function flatCandle(open_time: string, { close_bnb_x36, close_usd_x36 }: Close): CandleRow {
  return {
    open_time,
    open_bnb_x36: close_bnb_x36,
    high_bnb_x36: close_bnb_x36,
    low_bnb_x36: close_bnb_x36,
    close_bnb_x36,
    volume_wei: "0",
    volume_raw: "0",
    trades: 0,
    open_usd_x36: close_usd_x36,
    high_usd_x36: close_usd_x36,
    low_usd_x36: close_usd_x36,
    close_usd_x36,
    volume_usd_x18: close_usd_x36 === null ? null : "0",
  };
}
