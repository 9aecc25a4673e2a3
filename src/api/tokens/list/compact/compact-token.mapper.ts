import { formatAmount, formatPrice, marketCapBnb } from "../../../market/price.ts";
import { isoTime } from "../../../market/time.ts";
import type { CompactToken } from "./compact-token.schema.ts";
import type { CompactTokenRow } from "./compact-tokens.query.ts";
import { toSixDigits } from "./significant-digits.ts";

export function toCompactToken(row: CompactTokenRow): CompactToken {
  return {
    mint: row.mint,
    name: row.name,
    symbol: row.symbol,
    createdAt: isoTime(row.created_at),
    progress: row.progress,
    priceBnb: toSixDigits(formatPrice(row.price_bnb_x36)),
    marketCapBnb: toSixDigits(marketCapBnb(row.price_bnb_x36, row.total_supply_raw)),
    volume24hBnb: toSixDigits(formatAmount(row.volume_24h_wei)),
    holderCount: row.holder_count,
  };
}
