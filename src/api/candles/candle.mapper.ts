import { formatAmount, formatPrice } from "../market/price.ts";
import { isoTime } from "../market/time.ts";
import type { CandleRow } from "./candles.query.ts";
import type { Candle } from "./candles.routes.ts";

/** Leaves out the USD fields if no rate was known at the time. */
export function toCandle(row: CandleRow): Candle {
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
