import { createRoute, z } from "@hono/zod-openapi";
import { decimal, jsonAnswers } from "../../http/answer.schema.ts";
import { withEtag } from "../../http/etag.ts";
import { chainId, minBlock, wholeNumber } from "../../http/parameters.schema.ts";
import { chainProblems, problems } from "../../http/problem.schema.ts";

/** The largest page, and the default: aggregators ask for everything in one request. */
const maxTickersPerPage = 1_000;
export const maxTickers = 100_000;
const maxTrades = 5_000;

const ticker = z
  .object({
    ticker_id: z.string().openapi({ description: "base_currency, an underscore and target_currency." }),
    base_currency: z.string().openapi({ description: "The token's address." }),
    target_currency: z.string().openapi({ description: "The address of the chain's WBNB." }),
    pool_id: z.string().openapi({
      description: "Where it trades: the token's own address while on its bonding curve, then its DEX pair.",
    }),
    last_price: decimal("BNB per token after the last trade."),
    base_volume: decimal("Whole tokens traded in 24 hours, on the curve and on the DEX."),
    target_volume: decimal("BNB traded in 24 hours."),
    liquidity_in_usd: decimal(
      "USD. For a pair, both sides at its price; for a curve, the BNB paid in and the tokens left to buy at its price. Left out if no price feed is configured.",
    ).optional(),
    bid: decimal(
      "The price for selling the next token, before the DEX's fee: the last price, as there is no order book.",
    ),
    ask: decimal("The price for buying the next token, likewise."),
    high: decimal("The highest price in 24 hours, out of the opening price and the price after each trade."),
    low: decimal("The lowest price in 24 hours, likewise."),
  })
  .openapi("CoinGeckoTicker");

export type Ticker = z.input<typeof ticker>;

const historicalTrade = z
  .object({
    trade_id: z
      .int()
      .min(0)
      .openapi({ description: "Block number times 1,000,000 plus log index: increases with time." }),
    price: decimal("The trade's average price in BNB per token, with up to 50 decimals."),
    base_volume: decimal("Whole tokens."),
    target_volume: decimal("BNB."),
    trade_timestamp: z.int().min(0).openapi({ description: "Milliseconds since 1970." }),
    type: z.enum(["buy", "sell"]),
  })
  .openapi("CoinGeckoTrade");

export type HistoricalTrade = z.input<typeof historicalTrade>;

const historicalTrades = z
  .object({ buy: z.array(historicalTrade), sell: z.array(historicalTrade) })
  .openapi("CoinGeckoTrades");

export type HistoricalTrades = z.input<typeof historicalTrades>;

const tickerId = z
  .string({ error: ({ input }) => (input === undefined ? "is missing" : "must be a string") })
  .regex(
    /^0x[0-9a-fA-F]{40}_0x[0-9a-fA-F]{40}$/,
    "must be the addresses of a token and of WBNB, joined by an underscore, as in /tickers",
  )
  .transform((value) => {
    const lower = value.toLowerCase();
    return { base: lower.slice(0, 42), target: lower.slice(43) };
  })
  .openapi({
    type: "string",
    pattern: "^0x[0-9a-fA-F]{40}_0x[0-9a-fA-F]{40}$",
    description: "As in /tickers.",
  });

/** In seconds since 1970 or, from 10^11 on, in milliseconds like trade_timestamp. */
const timeBound = (description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a time: whole seconds or milliseconds since 1970")
    .transform((value) => (Number(value) >= 1e11 ? Number(value) / 1_000 : Number(value)))
    .optional()
    .openapi({ type: "integer", minimum: 0, description });

const withDefault = (value: number, minimum: number, maximum: number, description: string) =>
  wholeNumber(minimum, maximum).optional().default(value).openapi({ default: value, description });

const tags = ["Aggregators"];
const problemDescriptions = {
  ...chainProblems,
  404: "The chain is not indexed, or the token was not launched in a final block.",
  503: "The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read.",
};
const baseUrl =
  "Base URL: `/api/coingecko`; also available at `/api`, for aggregators that take a single base URL. Covers final blocks only, which no reorg can revert.";

/** The path that the routes are mounted at, and a suffix that keeps their operation ids unique. */
type CoinGeckoMount = { base: string; idSuffix: string };

export const tickersRoute = ({ base, idSuffix }: CoinGeckoMount) =>
  createRoute({
    method: "get",
    path: `${base}/tickers`,
    operationId: `getCoinGeckoTickers${idSuffix}`,
    tags,
    summary: "CoinGecko's and GeckoTerminal's format: tokens traded in the last 24 hours.",
    description: `${baseUrl} The 24 hours end with the last indexed block. Without parameters, returns the ${maxTickersPerPage} most recently traded tokens; the others are on the next pages, which go on in the order of the first one that the same address asked for in the last five minutes, up to ${maxTickers} tokens in all. A token that was not traded in 24 hours is returned only if asked for by its ticker_id.`,
    middleware: withEtag(),
    request: {
      query: z.object({
        ticker_id: tickerId.optional().openapi({ description: "Only this ticker." }),
        page: withDefault(1, 1, maxTickers, "The page, from 1. Pages after the last one are empty."),
        limit: withDefault(maxTickersPerPage, 1, maxTickersPerPage, "Tickers on a page."),
        chainId,
        minBlock,
      }),
    },
    responses: {
      ...jsonAnswers("The tickers, the most recently traded first.", z.array(ticker)),
      ...problems(problemDescriptions),
    },
  });

export const historicalTradesRoute = ({ base, idSuffix }: CoinGeckoMount) =>
  createRoute({
    method: "get",
    path: `${base}/historical_trades`,
    operationId: `getCoinGeckoHistoricalTrades${idSuffix}`,
    tags,
    summary: "CoinGecko's and GeckoTerminal's format: a ticker's trades, the latest first.",
    description: `${baseUrl} Trades of zero tokens or zero BNB have no price and are left out.`,
    request: {
      query: z.object({
        ticker_id: tickerId,
        type: z
          .enum(["buy", "sell"], "must be buy or sell")
          .optional()
          .openapi({ description: "Only buys, or only sells, of the token." }),
        limit: withDefault(
          500,
          0,
          maxTrades,
          "How many of the latest trades to return, both types together; 0 for all.",
        ),
        start_time: timeBound("The earliest time, inclusive: seconds or milliseconds since 1970."),
        end_time: timeBound("The latest time, inclusive: seconds or milliseconds since 1970."),
        chainId,
        minBlock,
      }),
    },
    responses: {
      ...jsonAnswers("The trades by type.", historicalTrades),
      ...problems(problemDescriptions),
    },
  });
