import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { revalidated } from "../http/etag.ts";
import { decimal, usd } from "../http/field.schema.ts";
import { chainId, minBlock, mintParameter, time, wholeNumber } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { intervals } from "./intervals.ts";

const mostCandles = 1_500;
const defaultCandles = 500;

const price = (what: string) => decimal(`BNB for one token: ${what}.`);

const candle = z
  .object({
    time: z.int().openapi({ description: "When the interval began, in seconds since 1970." }),
    openTime: z.iso.datetime().openapi({ description: "The same as ISO 8601." }),
    openBnb: price("the price before the interval, which is the close of the candle before"),
    highBnb: price("the highest price, that at the open included"),
    lowBnb: price("the lowest price, that at the open included"),
    closeBnb: price("after the last trade, on curve or DEX"),
    volumeBnb: decimal("BNB traded, buys and sells."),
    volumeTokens: decimal("Tokens traded, buys and sells, in whole tokens."),
    trades: z.int().min(0).openapi({ description: "0: nothing was traded, and the last close stands." }),
    openUsd: usd(
      "USD for one token at the rate of the trade that made the price; of the opening price, that of the moment when the curve opened.",
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
          "The length of a candle. Candles begin at multiples of it since 1970, in UTC; weeks on Mondays.",
      }),
    from: time.optional().openapi({
      description:
        "Seconds since 1970, or ISO 8601. The first candle is the one that this moment is in. Left out: as early as `limit` candles up to `to` reach.",
    }),
    to: time.optional().openapi({
      description:
        "Seconds since 1970, or ISO 8601. The last candle is the one that this moment is in. Left out, or later than that: the last indexed block.",
    }),
    limit: wholeNumber(1, mostCandles).optional().default(defaultCandles).openapi({
      type: "integer",
      minimum: 1,
      maximum: mostCandles,
      default: defaultCandles,
      description: "The most candles.",
    }),
    chainId,
    minBlock,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["from"],
    message: "must not be later than to",
  });

export const candlesRoute = createRoute({
  method: "get",
  path: "/api/token/{mint}/candles",
  operationId: "getCandles",
  tags: ["Market"],
  summary: "Candles of a token: open, high, low, close and volume, one series over curve and DEX.",
  description: [
    "The oldest first and without gaps: an interval in which nothing was traded is a flat candle at the last close.",
    "The first candle is that of the token's creation, at the price at which its curve opened; the last one is that of the last indexed block, or of `to`, and changes until its interval is over.",
    "Where `from` and `to` span more candles than `limit`, the answer has the first ones where `from` is given, else the last ones.",
    "To go on: older ones with `to` = time of the first candle - 1 and no `from`, newer ones with `from` = time of the last candle + the interval.",
    "Prices are those after each trade. Adding or removing DEX liquidity makes no candle.",
  ].join(" "),
  middleware: revalidated(),
  request: { params: mintParameter, query },
  responses: {
    ...jsonAnswers("Candles, the oldest first. Empty where there are none in that time.", candles),
    ...problems({
      400: "A parameter is wrong.",
      404: "The index has no such token (yet), or the chain is not indexed here.",
      503: "The database is away.",
    }),
  },
});
