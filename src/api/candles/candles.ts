import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { formatAmount, formatPrice } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { CandleRow } from "./candles.query.ts";
import { type Candle, type Candles, candlesRoute } from "./candles.routes.ts";
import { loadCandles } from "./load-candles.ts";

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
