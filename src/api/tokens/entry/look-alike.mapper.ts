import { looksLike } from "../../../domain/look-alike.ts";
import { formatAmount } from "../../market/price.ts";
import { isoTime } from "../../market/time.ts";
import type { LookAlikeRow } from "./look-alike.query.ts";
import type { TokenDetails } from "./token-entry.schema.ts";

/** Returns the first of the rows that looks like the token. */
export function findLookAlike(
  token: { name: string; symbol: string },
  rows: LookAlikeRow[],
): TokenDetails["lookAlike"] {
  for (const row of rows) {
    const same = (["symbol", "name"] as const).filter((field) => looksLike(row[field], token[field]));
    if (same.length === 0) continue;
    return {
      mint: row.mint,
      name: row.name,
      symbol: row.symbol,
      createdAt: isoTime(row.created_at),
      graduated: row.graduated,
      liquidityBnb: formatAmount(row.liquidity_wei),
      same,
      reason: row.is_larger ? "larger" : "older",
    };
  }
  return null;
}
