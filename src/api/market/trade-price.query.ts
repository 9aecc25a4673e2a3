import { type SQL, sql } from "drizzle-orm";
import { maxUint256 } from "../../curve/amounts.ts";
import { sqlInteger, sqlName } from "../database/sql-name.ts";

/**
 * The price after a trade, BNB per token with 36 decimals, as `priceBnbX36` of src/curve has it. Null where the trade left none:
 * no tokens to divide by, or next to no BNB.
 *
 * @param trade the alias of the trade in the query
 */
export function priceAfter(trade: string): SQL {
  const bnb = sqlName(`${trade}.bnb_reserves_wei`);
  const tokens = sqlName(`${trade}.token_reserves_raw`);
  return sql`case when ${tokens} > 0
    then nullif(least(div(${bnb} * 1e36, ${tokens}), ${sqlInteger(maxUint256)}), 0) end`;
}
