import { sql } from "drizzle-orm";

/** Joins a registration `r` with the token `t` that it is about. After a reorg, another token may be at the same address. */
export const isRegisteredToken = sql`t.chain_id = r.chain_id and t.address = r.mint and t.creator = r.creator
  and t.name = r.name and t.symbol = r.symbol and t.burn_percent = r.burn_percent`;
