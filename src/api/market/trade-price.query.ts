import { type SQL, sql } from "drizzle-orm";
import { maxUint256 } from "../../curve/amounts.ts";
import { sqlInteger, sqlName } from "../database/sql-name.ts";

/**
 * The price after a trade, BNB per token with 36 decimals, computed like `priceBnbX36` in src/curve. Null if the trade left no
 * price: no tokens to divide by, or so little BNB that the price rounds to 0.
 *
 * @param trade the alias of the trade in the query
 */
export function priceAfter(trade: string): SQL {
  const bnb = sqlName(`${trade}.bnb_reserves_wei`);
  const tokens = sqlName(`${trade}.token_reserves_raw`);
  return sql`case when ${tokens} > 0
    then nullif(least(div(${bnb} * 1e36, ${tokens}), ${sqlInteger(maxUint256)}), 0) end`;
}
