import { trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { tradeSums } from "../market/trades.query.ts";

/** What an account traded on a day. Amounts in wei, and in USD with 18 decimals: null if a trade had no rate. */
export type AccountDayRow = {
  /** Days since 1970. */
  day: number;
  buys: number;
  sells: number;
  profitable_sells: number;
  volume_wei: string;
  volume_usd_x18: string | null;
  realised_wei: string;
  realised_usd_x18: string | null;
};

type AccountDaysQuery = { chainId: number; account: string; since: number; limit: number };

/** Reads the days since a time (in seconds) on which the account traded, from its last `limit` trades, the newest first. */
export async function readAccountDays(
  db: Database,
  { chainId, account, since, limit }: AccountDaysQuery,
): Promise<AccountDayRow[]> {
  return await queryRows<AccountDayRow>(
    db,
    sql`select (timestamp / 86400)::int as day, (count(*) filter (where side = 'buy'))::int as buys, ${tradeSums}
        from (
          select timestamp, side, bnb_amount_wei, bnb_usd_x8, realised_wei, realised_usd_x18 from ${trade}
          where chain_id = ${chainId} and trader = ${account} and timestamp >= ${since}
          order by timestamp desc limit ${limit}
        ) recent
        group by day order by day desc`,
  );
}
