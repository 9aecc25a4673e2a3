import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswers } from "../../http/answer.schema.ts";
import { revalidated } from "../../http/etag.ts";
import { decimal } from "../../http/field.schema.ts";
import { chainId, minBlock, wholeNumber } from "../../http/parameters.schema.ts";
import { problems } from "../../http/problem.schema.ts";

/** The largest page of tickers, and the default: an aggregator asks for all in one request. */
const mostTickers = 1_000;
const deepestTicker = 100_000;
/** The largest limit of trades. */
const mostTrades = 5_000;

const ticker = z
  .object({
    ticker_id: z.string().openapi({ description: "base_currency, an underscore and target_currency." }),
    base_currency: z.string().openapi({ description: "The token's address." }),
    target_currency: z.string().openapi({ description: "The address of the chain's WBNB." }),
    pool_id: z.string().openapi({
      description: "Where it trades: the token's own address on its bonding curve, its DEX pair afterwards.",
    }),
    last_price: decimal("BNB per token after the last trade."),
    base_volume: decimal("Whole tokens traded in 24 hours, on the curve and on the DEX."),
    target_volume: decimal("BNB traded in 24 hours."),
    liquidity_in_usd: decimal(
      "USD. Of a pair both sides at its price; of a curve the BNB that was paid in and the tokens left to buy at its price. Left out where no price feed is configured.",
    ).optional(),
    bid: decimal(
      "What the next token sold brings, before the DEX's fee: the last price, as there is no order book.",
    ),
    ask: decimal("What the next token bought costs, in the same way."),
    high: decimal("The highest price in 24 hours: as they began, and after each trade."),
    low: decimal("The lowest price in 24 hours, in the same way."),
  })
  .openapi("CoinGeckoTicker");

export type Ticker = z.input<typeof ticker>;

const historicalTrade = z
  .object({
    trade_id: z
      .int()
      .min(0)
      .openapi({ description: "Block times 1,000,000 plus log index: rises with time." }),
    price: decimal("BNB per token that the trade paid on average, with up to 50 decimals."),
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
    const [base, target] = value.toLowerCase().split("_") as [string, string];
    return { base, target };
  })
  .openapi({
    type: "string",
    pattern: "^0x[0-9a-fA-F]{40}_0x[0-9a-fA-F]{40}$",
    description: "As in /tickers.",
  });

/** Seconds since 1970; from 10^11 on, milliseconds, as trade_timestamp is. */
const moment = (description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a time: whole seconds or milliseconds since 1970")
    .transform((value) => (Number(value) >= 1e11 ? Number(value) / 1_000 : Number(value)))
    .optional()
    .openapi({ type: "integer", minimum: 0, description });

const withDefault = (value: number, minimum: number, maximum: number, description: string) =>
  wholeNumber(minimum, maximum)
    .optional()
    .default(value)
    .openapi({ type: "integer", minimum, maximum, default: value, description });

const tags = ["Aggregators"];
const failures = {
  400: "A parameter is wrong.",
  404: "The chain is not indexed, or the token not launched in a final block.",
  503: "The database is away, nothing is indexed yet, or the chain does not tell its WBNB.",
};
const bases =
  "Base URL: `/api/coingecko`. The same is to be had at `/api`, for those who are given that as the only base URL. Speaks of final blocks alone, which no reorg can take back.";

/** Where the routes are mounted, and a suffix that keeps their operation ids unique. */
export type CoinGeckoPlace = { base: string; idSuffix: string };

export const tickersRoute = ({ base, idSuffix }: CoinGeckoPlace) =>
  createRoute({
    method: "get",
    path: `${base}/tickers`,
    operationId: `getCoinGeckoTickers${idSuffix}`,
    tags,
    summary: "CoinGecko's and GeckoTerminal's form: tokens traded in the last 24 hours.",
    description: `${bases} The 24 hours end with the last indexed block. Without parameters the ${mostTickers} tokens that were traded last; others are on the next pages. A token that was not traded in 24 hours is there when asked for by its ticker_id.`,
    middleware: revalidated(),
    request: {
      query: z.object({
        ticker_id: tickerId.optional().openapi({ description: "One ticker alone." }),
        page: withDefault(1, 1, deepestTicker / mostTickers, "The page, from 1."),
        limit: withDefault(mostTickers, 1, mostTickers, "Tickers on a page."),
        chainId,
        minBlock,
      }),
    },
    responses: {
      ...jsonAnswers("The tickers, of which those traded last come first.", z.array(ticker)),
      ...problems(failures),
    },
  });

export const historicalTradesRoute = ({ base, idSuffix }: CoinGeckoPlace) =>
  createRoute({
    method: "get",
    path: `${base}/historical_trades`,
    operationId: `getCoinGeckoHistoricalTrades${idSuffix}`,
    tags,
    summary: "CoinGecko's and GeckoTerminal's form: the trades of a ticker, the last first.",
    description: `${bases} Trades of no tokens or no BNB have no price, and are left out.`,
    request: {
      query: z.object({
        ticker_id: tickerId,
        type: z.enum(["buy", "sell"], "must be buy or sell").optional(),
        limit: withDefault(
          500,
          0,
          mostTrades,
          "The last so many trades of both types together; 0: all of them.",
        ),
        start_time: moment("The first moment, included: seconds or milliseconds since 1970."),
        end_time: moment("The last moment, included: seconds or milliseconds since 1970."),
        chainId,
        minBlock,
      }),
    },
    responses: {
      ...jsonAnswers("The trades by type.", historicalTrades),
      ...problems(failures),
    },
  });
