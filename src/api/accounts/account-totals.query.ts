import { account, launchpadTotals, position } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { columnList } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import { sqlName } from "../database/sql-name.ts";
import { type CreatorRecordRow, creatorRecordColumns } from "../market/risk.query.ts";
import { type ResultUsdRow, resultUsdColumns } from "./account-lists.query.ts";
import { type AccountOf, holdingsOf, priceOf, worth } from "./holding-value.query.ts";

/** What an account has and has made, over all tokens. Amounts in wei; numeric columns are decimal strings. */
export type AccountRow = CreatorRecordRow &
  ResultUsdRow & {
    /** Seconds; null for an account that is not indexed. */
    first_seen_at: string | null;
    holdings: number;
    value: string;
    positions: number;
    buys: number;
    sells: number;
    bnb_spent: string;
    bnb_received: string;
    realised_bnb: string;
    open_cost: string;
    open_value: string;
    /** USD for one BNB with 8 decimals, the last answer; null without a price feed. */
    bnb_usd_x8: string | null;
  };

/** Returns a row even for an account that is not indexed. */
export async function readAccount(db: Database, of: AccountOf): Promise<AccountRow> {
  const [row] = await queryRows<AccountRow>(
    db,
    sql`select a.first_seen_at, ${columnList(creatorRecordColumns)}, held.*, traded.*, l.bnb_usd_x8
        from (select count(*)::int as holdings, coalesce(sum(value), 0)::text as value
              from (${holdingsOf(of)}) h) held
        cross join (
          select count(*)::int as positions, coalesce(sum(buys), 0)::int as buys, coalesce(sum(sells), 0)::int as sells,
            coalesce(sum(bnb_spent), 0)::text as bnb_spent, coalesce(sum(bnb_received), 0)::text as bnb_received,
            coalesce(sum(realised_bnb), 0)::text as realised_bnb, coalesce(sum(open_cost), 0)::text as open_cost,
            coalesce(sum(${worth(sql`open_tokens`, priceOf(sql`p`))}), 0)::text as open_value,
            ${sql.join(Object.entries(resultUsdColumns).map(knownSum), sql`, `)}
          from ${position} p where p.chain_id = ${of.chainId} and p.account = ${of.account}) traded
        left join ${account} a on a.chain_id = ${of.chainId} and a.address = ${of.account}
        left join ${launchpadTotals} l on l.chain_id = ${of.chainId}`,
  );
  return row as AccountRow;
}

/** The sum over all positions; null where one of them has none. */
function knownSum([name, value]: [string, SQL]): SQL {
  return sql`case when count(*) = count(${value}) then coalesce(sum(${value}), 0)::text end as ${sqlName(name)}`;
}
