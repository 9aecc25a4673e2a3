import { account, holder, launchpad, position } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { columnList } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import { sqlName } from "../database/sql-name.ts";
import { type CreatorRecordRow, creatorRecordColumns } from "../market/risk.query.ts";
import { type ResultUsdRow, resultUsdColumns } from "./account-lists.query.ts";
import { type DexFee, valueAndExit } from "./exit-value.query.ts";
import type { AccountOf } from "./holding-value.query.ts";

/** What an account has and has made, over all tokens. Amounts in wei; numeric columns are decimal strings. */
export type AccountRow = CreatorRecordRow &
  ResultUsdRow & {
    /** Seconds; null for an account that is not indexed. */
    first_seen_at: string | null;
    holdings: number;
    value: string;
    /** Of selling each holding by itself; null where that of one is not known. */
    exit: string | null;
    positions: number;
    buys: number;
    sells: number;
    bnb_spent_wei: string;
    bnb_received_wei: string;
    realised_wei: string;
    open_cost_wei: string;
    open_value: string;
    /** Of selling the open tokens of each position by itself; null where that of one is not known. */
    open_exit: string | null;
    /** USD for one BNB with 8 decimals, the last answer; null without a price feed. */
    bnb_usd_x8: string | null;
  };

/** Returns a row even for an account that is not indexed. */
export async function readAccount(db: Database, { dexFee, ...of }: AccountOf & DexFee): Promise<AccountRow> {
  const sale = { chainId: of.chainId, dexFee };
  const sold = valueAndExit({ ...sale, mint: sql`b.token`, tokens: sql`b.balance_raw` });
  const openSold = valueAndExit({ ...sale, mint: sql`p.token`, tokens: sql`p.open_tokens_raw` });
  const [row] = await queryRows<AccountRow>(
    db,
    sql`select a.first_seen_at, ${columnList(creatorRecordColumns)}, held.*, traded.*, l.bnb_usd_x8
        from (select count(*)::int as holdings, coalesce(sum(value), 0)::text as value, ${knownSum(["exit", sql`exit`])}
              from ${holder} b cross join ${sold} sold
              where b.chain_id = ${of.chainId} and b.account = ${of.account} and b.balance_raw > 0 and b.kind = 'account') held
        cross join (
          select count(*)::int as positions, coalesce(sum(buys), 0)::int as buys, coalesce(sum(sells), 0)::int as sells,
            coalesce(sum(bnb_spent_wei), 0)::text as bnb_spent_wei, coalesce(sum(bnb_received_wei), 0)::text as bnb_received_wei,
            coalesce(sum(realised_wei), 0)::text as realised_wei, coalesce(sum(open_cost_wei), 0)::text as open_cost_wei,
            coalesce(sum(sold.value), 0)::text as open_value,
            ${sql.join(Object.entries({ ...resultUsdColumns, open_exit: sql`sold.exit` }).map(knownSum), sql`, `)}
          from ${position} p cross join ${openSold} sold
          where p.chain_id = ${of.chainId} and p.account = ${of.account}) traded
        left join ${account} a on a.chain_id = ${of.chainId} and a.address = ${of.account}
        left join ${launchpad} l on l.chain_id = ${of.chainId}`,
  );
  return row as AccountRow;
}

/** The sum over all positions; null where one of them has none. */
function knownSum([name, value]: [string, SQL]): SQL {
  return sql`case when count(*) = count(${value}) then coalesce(sum(${value}), 0)::text end as ${sqlName(name)}`;
}
