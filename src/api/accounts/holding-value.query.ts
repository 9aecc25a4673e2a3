import { curve, holder } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";

/** An account on a chain, or what it has to do with one token alone. */
export type AccountOf = { chainId: number; account: string; mint?: string };

/** Every balance of the account above 0, with its value. */
export function holdingsOf({ chainId, account: address, mint }: AccountOf): SQL {
  const ofToken = mint === undefined ? sql`` : sql`and b.token = ${mint}`;
  // The offset keeps the value from being worked out again wherever it is used.
  return sql`select token, balance_raw, ${worth(sql`balance_raw`, priceOf(sql`b`))} as value from ${holder} b
             where b.chain_id = ${chainId} and b.account = ${address} ${ofToken} and b.balance_raw > 0 and b.kind = 'account' offset 0`;
}

// By look-ups: a join may read all curves for an account that holds many tokens.
function priceOf(row: SQL): SQL {
  return sql`coalesce((select c.price_bnb_x36 from ${curve} c
                       where c.chain_id = ${row}.chain_id and c.token = ${row}.token), 0)`;
}

/** Wei, rounded down, for base units at a price with 36 decimals. */
export function worth(tokens: SQL, price: SQL): SQL {
  return sql`div(${tokens} * ${price}, 1e36::numeric)`;
}
