import type { Context } from "hono";
import { chainTitles } from "../../../config/chains.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { toLowerHex } from "../http/parameters.schema.ts";
import { invalidParameter, type Problem } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { refuseHidden } from "../market/hidden-token.query.ts";
import { formatAmount, formatPrice } from "../market/price.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import type { CandleRow } from "./candles.query.ts";
import { loadCandles } from "./candles.routes.ts";
import { announced, intervalOf, intervalSpec, intraday } from "./intervals.ts";
import {
  maxBars,
  maxFound,
  type UdfConfig,
  type UdfFoundSymbol,
  type UdfHistory,
  type UdfSymbol,
  udfConfigRoute,
  udfHistoryRoute,
  udfSearchRoute,
  udfSymbolRoute,
  udfTimeRoute,
} from "./udf.routes.ts";

type UdfDeps = {
  chains: Chains;
  db: PooledDatabase;
  /** Finds listed tokens, the most traded first. */
  searchTokens: (
    c: Context,
    query: { chainId: number; query?: string; limit: number },
  ) => Promise<FoundToken[]>;
};

type FoundToken = { mint: string; name: string; symbol: string };

const currencies = ["BNB", "USD"] as const;
type Currency = (typeof currencies)[number];

/** Without a feed, a chart in USD would stay empty. */
const currenciesOf = ({ priceFeeds }: ChainSettings) =>
  currencies.filter((currency) => currency === "BNB" || priceFeeds.length > 0);

const symbolPattern = /^((?<chainId>\d{1,9}):)?(?<mint>0[xX][0-9a-fA-F]{40})(\/(?<currency>BNB|USD))?$/;

/** A feed for TradingView's charts: their Universal Data Feed. */
export function createUdf({ chains, db, searchTokens }: UdfDeps) {
  const router = createRouter();
  // The feed's clients look for these fields, whatever the status.
  router.use("/api/udf/*", async (c, next) => {
    await next();
    if (c.res.ok || c.res.status < 400) return;
    const problem = (await c.res.json()) as Problem;
    c.res = new Response(JSON.stringify({ s: "error", errmsg: problem.detail, ...problem }), c.res);
  });
  const exchangeOf = ({ id }: ChainSettings) => String(id);

  router.openapi(udfConfigRoute, (c) => {
    const body: UdfConfig = {
      supported_resolutions: [...announced],
      supports_search: true,
      supports_group_request: false,
      supports_marks: false,
      supports_timescale_marks: false,
      supports_time: true,
      exchanges: chains.all.map((chain) => ({
        value: exchangeOf(chain),
        name: chainTitles[chain.id],
        desc: chainTitles[chain.id],
      })),
      symbols_types: [{ name: "Crypto", value: "crypto" }],
    };
    return c.json(body, 200);
  });

  router.openapi(udfTimeRoute, (c) => c.text(String(Math.floor(Date.now() / 1_000)), 200));

  router.openapi(udfSymbolRoute, async (c) => {
    const { chain, mint, currency } = parseSymbol(c.req.valid("query").symbol);
    const [token, candles] = await Promise.all([
      readIndexedToken(db, chain.id, mint),
      loadCandles(db, { chainId: chain.id, mint, interval: "1d", limit: 1 }),
      refuseHidden(db, chain.id, mint),
    ]);
    if (token === undefined) throw unknownToken(mint, chain.id);
    const { name, symbol } = token;
    const [last] = candles ?? [];
    const body: UdfSymbol = {
      name: `${symbol}/${currency}`,
      ticker: toTicker(chain, mint, currency),
      description: name,
      type: "crypto",
      session: "24x7",
      timezone: "Etc/UTC",
      exchange: exchangeOf(chain),
      listed_exchange: exchangeOf(chain),
      currency_code: currency,
      format: "price",
      minmov: 1,
      pricescale: priceScale(last === undefined ? 0 : (toBar(last, currency)?.c ?? 0)),
      volume_precision: currency === "BNB" ? 4 : 2,
      has_intraday: true,
      has_daily: true,
      has_weekly_and_monthly: true,
      supported_resolutions: [...announced],
      intraday_multipliers: [...intraday],
      data_status: "streaming",
    };
    return c.json(body, 200);
  });

  router.openapi(udfSearchRoute, async (c) => {
    const { query, exchange = "", ...rest } = c.req.valid("query");
    const limit = Math.min(maxFound, rest.limit);
    const found: { chain: ChainSettings; rank: number; token: FoundToken }[] = [];
    for (const chain of chains.all.filter((chain) => exchange === "" || exchange === exchangeOf(chain))) {
      const selection = { chainId: chain.id, limit, ...(query === undefined ? {} : { query }) };
      const tokens = await searchTokens(c, selection);
      found.push(...tokens.map((token, rank) => ({ chain, rank, token })));
    }
    // By rank rather than volume, since BNB of a testnet costs nothing.
    const symbols = found
      .sort((left, right) => left.rank - right.rank)
      .flatMap(({ chain, token: { mint, name, symbol } }) =>
        currenciesOf(chain).map(
          (currency): UdfFoundSymbol => ({
            symbol: `${symbol}/${currency}`,
            full_name: `${symbol}/${currency}`,
            description: name,
            exchange: exchangeOf(chain),
            ticker: toTicker(chain, mint, currency),
            type: "crypto",
          }),
        ),
      );
    return c.json(symbols.slice(0, limit), 200);
  });

  router.openapi(udfHistoryRoute, async (c) => {
    const { symbol, resolution, from = 0, to, countback } = c.req.valid("query");
    const { chain, mint, currency } = parseSymbol(symbol);
    const interval = intervalOf[resolution];
    const span = Math.ceil((to - from) / Number(intervalSpec(interval).seconds)) + 1;
    const [candles] = await Promise.all([
      loadCandles(db, {
        chainId: chain.id,
        mint,
        interval,
        to: Math.max(0, to - 1),
        limit: Math.min(maxBars, countback ?? Math.max(1, span)),
      }),
      refuseHidden(db, chain.id, mint),
    ]);
    if (candles === undefined) throw unknownToken(mint, chain.id);
    const bars = candles
      .flatMap((candle) => toBar(candle, currency) ?? [])
      .filter(({ t }) => t < to && (countback !== undefined || t >= from));
    const column = (name: keyof Bar) => bars.map((bar) => bar[name]);
    const body: UdfHistory =
      bars.length === 0
        ? { s: "no_data" }
        : {
            s: "ok",
            t: column("t"),
            o: column("o"),
            h: column("h"),
            l: column("l"),
            c: column("c"),
            v: column("v"),
          };
    return c.json(body, 200);
  });

  function parseSymbol(symbol: string) {
    const { chainId, mint, currency } = symbolPattern.exec(symbol)?.groups ?? {};
    if (mint === undefined) throw invalidParameter("symbol", "must be a token's address, with /BNB or /USD");
    return {
      chain: chains.choose(chainId === undefined ? undefined : Number(chainId)),
      mint: toLowerHex(mint),
      currency: currencies.find((name) => name === currency) ?? "BNB",
    };
  }

  return router;
}

const toTicker = ({ id }: ChainSettings, mint: string, currency: Currency) => `${id}:${mint}/${currency}`;

type Bar = Record<"t" | "o" | "h" | "l" | "c" | "v", number>;

/** Undefined in USD if no rate was known at the time. */
function toBar(row: CandleRow, currency: Currency): Bar | undefined {
  const t = Number(row.open_time);
  const price = (x36: string) => Number(formatPrice(x36));
  if (currency === "BNB") {
    return {
      t,
      o: price(row.open_bnb_x36),
      h: price(row.high_bnb_x36),
      l: price(row.low_bnb_x36),
      c: price(row.close_bnb_x36),
      v: Number(formatAmount(row.volume_wei)),
    };
  }
  const { open_usd_x36: o, high_usd_x36: h, low_usd_x36: l, close_usd_x36: c } = row;
  if (o === null || h === null || l === null || c === null) return undefined;
  return {
    t,
    o: price(o),
    h: price(h),
    l: price(l),
    c: price(c),
    v: Number(formatAmount(row.volume_usd_x18 ?? "0")),
  };
}

/** The power of ten by which a price shows six significant digits, with at least two decimals and at most 16. */
function priceScale(price: number): number {
  const digits = price > 0 ? 5 - Math.floor(Math.log10(price)) : 10;
  return 10 ** Math.min(16, Math.max(2, digits));
}
