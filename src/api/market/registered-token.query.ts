import { sql } from "drizzle-orm";

/** Joins a registration `r` with its token `t`. Compares more than the address, where a reorg may have put another token. */
export const isRegisteredToken = sql`t.chain_id = r.chain_id and t.address = r.mint and t.creator = r.creator
  and t.name = r.name and t.symbol = r.symbol and t.burn_percent = r.burn_percent`;
