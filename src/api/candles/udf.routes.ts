import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../http/answer.schema.ts";
import { withEtag } from "../http/etag.ts";
import { searchQuery, wholeNumber } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { resolutions } from "./intervals.ts";

// TradingView's Universal Data Feed. A charting library may send parameters that are not ours: those that it documents are ignored.

export const maxBars = 1_500;
export const maxFound = 30;

/** Charts scroll to before 1970, too. */
const moment = (description: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? "is missing" : "must be a number") })
    .regex(/^-?\d{1,10}$/, "must be a whole number: seconds since 1970")
    .transform(Number)
    .openapi({ type: "integer", description });
const unixTime = z.int().openapi({ description: "Seconds since 1970." });
const numbers = z.array(z.number());
const unused = z.string().optional().openapi({ description: "Ignored." });

const symbol = z
  .string()
  .max(200, "must have at most 200 characters")
  .openapi({
    description:
      "A token's address, with `/USD` for prices in USD instead of BNB. With several chains, after the chain's id and a colon. " +
      "Matches `ticker` of the search.",
    example: "56:0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe/USD",
  });

const config = z
  .object({
    supported_resolutions: z.array(z.enum(resolutions)),
    supports_search: z.literal(true),
    supports_group_request: z.literal(false),
    supports_marks: z.literal(false),
    supports_timescale_marks: z.literal(false),
    supports_time: z.literal(true),
    exchanges: z.array(z.object({ value: z.string(), name: z.string(), desc: z.string() })),
    symbols_types: z.array(z.object({ name: z.string(), value: z.string() })),
  })
  .openapi("UdfConfig");

export type UdfConfig = z.input<typeof config>;

const symbolInfo = z
  .object({
    name: z.string(),
    ticker: z.string(),
    description: z.string(),
    type: z.literal("crypto"),
    session: z.literal("24x7"),
    timezone: z.literal("Etc/UTC"),
    exchange: z.string(),
    listed_exchange: z.string(),
    currency_code: z.enum(["BNB", "USD"]),
    format: z.literal("price"),
    minmov: z.literal(1),
    pricescale: z
      .int()
      .openapi({ description: "A power of ten, by which prices show six significant digits." }),
    volume_precision: z
      .int()
      .openapi({ description: "Decimals of volumes, which are in the prices' currency." }),
    has_intraday: z.literal(true),
    has_daily: z.literal(true),
    has_weekly_and_monthly: z.literal(true),
    supported_resolutions: z.array(z.enum(resolutions)),
    intraday_multipliers: z.array(z.string()),
    data_status: z.literal("streaming"),
  })
  .openapi("UdfSymbol");

export type UdfSymbol = z.input<typeof symbolInfo>;

const foundSymbols = z.array(
  z
    .object({
      symbol: z.string(),
      full_name: z.string(),
      description: z.string(),
      exchange: z.string(),
      ticker: z.string(),
      type: z.literal("crypto"),
    })
    .openapi("UdfFoundSymbol"),
);

export type UdfFoundSymbol = z.input<typeof foundSymbols>[number];

const history = z
  .union([
    z.object({
      s: z.literal("ok"),
      t: z.array(unixTime),
      o: numbers,
      h: numbers,
      l: numbers,
      c: numbers,
      v: numbers,
    }),
    z.object({ s: z.literal("no_data") }),
  ])
  .openapi("UdfHistory");

export type UdfHistory = z.input<typeof history>;

const failures = {
  400: "A parameter is wrong. As of all errors, the message is also in `errmsg`, and `s` is `error`.",
  503: "The database is unavailable.",
};
const symbolFailures = {
  ...failures,
  404: "The index has no such token (yet), or the chain is not indexed here.",
  451: "The operator of this service has hidden the token.",
};
const shared = { method: "get" as const, tags: ["Aggregators"], middleware: withEtag() };

export const udfConfigRoute = createRoute({
  ...shared,
  path: "/api/udf/config",
  operationId: "getUdfConfig",
  summary: "What the data feed for TradingView's charts supports.",
  description:
    'The base URL of the feed is `/api/udf`: `new Datafeeds.UDFCompatibleDatafeed("https://example.com/api/udf")`.',
  responses: { ...jsonAnswers("The configuration.", config), ...problems({}) },
});

export const udfTimeRoute = createRoute({
  ...shared,
  path: "/api/udf/time",
  operationId: "getUdfTime",
  summary: "The server's time.",
  description: "In seconds since 1970, as text: charts draw the present bar by it.",
  responses: {
    200: { description: "The time.", content: { "text/plain": { schema: z.string().regex(/^\d+$/) } } },
    ...problems({}),
  },
});

export const udfSymbolRoute = createRoute({
  ...shared,
  path: "/api/udf/symbols",
  operationId: "getUdfSymbol",
  summary: "A token as a symbol of TradingView's charts.",
  description: "Its price has as many decimals as show six significant digits now.",
  request: { query: z.object({ symbol, currencyCode: unused, unitId: unused }) },
  responses: { ...jsonAnswers("The symbol.", symbolInfo), ...problems(symbolFailures) },
});

export const udfSearchRoute = createRoute({
  ...shared,
  path: "/api/udf/search",
  operationId: "searchUdfSymbols",
  summary: "Searches listed tokens for TradingView's charts.",
  description:
    "Each token is found with its price in BNB and, where a BNB/USD feed is configured, once more in USD.",
  request: {
    query: z.object({
      query: searchQuery.openapi({ description: "As `q` of `/api/tokens`." }),
      type: unused,
      exchange: z.string().optional().openapi({ description: "A chain's id; all chains if empty." }),
      limit: wholeNumber(1, 1_000_000)
        .optional()
        .default(maxFound)
        .openapi({
          type: "integer",
          minimum: 1,
          default: maxFound,
          description: `At most ${maxFound} are returned.`,
        }),
    }),
  },
  responses: {
    ...jsonAnswers("Symbols, the most active tokens of each chain first.", foundSymbols),
    ...problems(failures),
  },
});

export const udfHistoryRoute = createRoute({
  ...shared,
  path: "/api/udf/history",
  operationId: "getUdfHistory",
  summary: "A token's candles for TradingView's charts.",
  description:
    "As `/api/token/{mint}/candles`, with numbers of double precision. Volumes are in the prices' currency.",
  request: {
    query: z.object({
      symbol,
      resolution: z
        .enum(resolutions, `must be one of ${resolutions.join(", ")}`)
        .openapi({ description: "How long a bar is: minutes, or with a D or W days or weeks." }),
      from: moment("Seconds since 1970. Ignored with `countback`.").optional(),
      to: moment("Seconds since 1970. Bars begin before it."),
      countback: wholeNumber(1, 1_000_000)
        .optional()
        .openapi({
          description: `The number of bars before \`to\`. At most ${maxBars} are returned, the last ones.`,
        }),
      currencyCode: unused,
      unitId: unused,
    }),
  },
  responses: { ...jsonAnswers("Bars, the oldest first.", history), ...problems(symbolFailures) },
});
