import { priceBnb, priceUsd, wholeUnits } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { CandleRow } from "./candles.query.ts";
import type { Candle } from "./candles.routes.ts";

/** Maps a candle to its response. USD fields are left out if no rate was known at the time. */
export function toCandle(row: CandleRow): Candle {
  return {
    time: Number(row.open_time),
    openTime: isoTime(row.open_time),
    open: priceBnb(row.open_x36),
    high: priceBnb(row.high_x36),
    low: priceBnb(row.low_x36),
    close: priceBnb(row.close_x36),
    volumeBnb: wholeUnits(row.volume_bnb),
    volumeTokens: wholeUnits(row.volume_tokens),
    trades: row.trades,
    ...inUsd(row),
  };
}

type UsdFields = Pick<Candle, "openUsd" | "highUsd" | "lowUsd" | "closeUsd" | "volumeUsd">;

function inUsd({ open_usd_x36, high_usd_x36, low_usd_x36, close_usd_x36, volume_usd }: CandleRow): UsdFields {
  if (open_usd_x36 === null || high_usd_x36 === null || low_usd_x36 === null) return {};
  if (close_usd_x36 === null) return {};
  return {
    openUsd: priceUsd(open_usd_x36),
    highUsd: priceUsd(high_usd_x36),
    lowUsd: priceUsd(low_usd_x36),
    closeUsd: priceUsd(close_usd_x36),
    volumeUsd: wholeUnits(volume_usd ?? "0"),
  };
}
