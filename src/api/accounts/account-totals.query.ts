import { account, holder, launchpad, position } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { columnList } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import { sqlName } from "../database/sql-name.ts";
import { type DexFee, valueAndExit } from "../market/exit-value.query.ts";
import { type CreatorRecordRow, creatorRecordColumns } from "../market/risk.query.ts";
import { type ResultUsdRow, resultUsdColumns } from "./account-lists.query.ts";
import type { AccountScope } from "./holding-value.query.ts";

/** An account's holdings and results over all tokens. Amounts are in wei; numeric columns are decimal strings. */
export type AccountRow = CreatorRecordRow &
  ResultUsdRow & {
    /** Seconds; null for an account that is not indexed. */
    first_seen_at: string | null;
    holdings: number;
    value: string;
    /** Proceeds of selling each holding by itself; null if those of one are unknown. */
    exit: string | null;
    positions: number;
    buys: number;
    sells: number;
    bnb_spent_wei: string;
    bnb_received_wei: string;
    realised_wei: string;
    open_cost_wei: string;
    open_value: string;
    /** Proceeds of selling each position's open tokens by themselves; null if those of one are unknown. */
    open_exit: string | null;
    /** USD for one BNB with 8 decimals, as last answered; null without a price feed. */
    bnb_usd_x8: string | null;
  };

/** Returns a row even for an account that is not indexed. */
export async function readAccount(
  db: Database,
  { dexFee, ...scope }: AccountScope & DexFee,
): Promise<AccountRow> {
  const sale = { chainId: scope.chainId, dexFee };
  const sold = valueAndExit({ ...sale, mint: sql`b.token`, tokens: sql`b.balance_raw` });
  const openSold = valueAndExit({ ...sale, mint: sql`p.token`, tokens: sql`p.open_tokens_raw` });
  const [row] = await queryRows<AccountRow>(
    db,
    sql`select a.first_seen_at, ${columnList(creatorRecordColumns)}, held.*, traded.*, l.bnb_usd_x8
        from (select count(*)::int as holdings, coalesce(sum(value), 0)::text as value, ${knownSum(["exit", sql`exit`])}
              from ${holder} b cross join ${sold} sold
              where b.chain_id = ${scope.chainId} and b.account = ${scope.account} and b.balance_raw > 0 and b.kind = 'account') held
        cross join (
          select count(*)::int as positions, coalesce(sum(buys), 0)::int as buys, coalesce(sum(sells), 0)::int as sells,
            coalesce(sum(bnb_spent_wei), 0)::text as bnb_spent_wei, coalesce(sum(bnb_received_wei), 0)::text as bnb_received_wei,
            coalesce(sum(realised_wei), 0)::text as realised_wei, coalesce(sum(open_cost_wei), 0)::text as open_cost_wei,
            coalesce(sum(sold.value), 0)::text as open_value,
            ${sql.join(Object.entries({ ...resultUsdColumns, open_exit: sql`sold.exit` }).map(knownSum), sql`, `)}
          from ${position} p cross join ${openSold} sold
          where p.chain_id = ${scope.chainId} and p.account = ${scope.account}) traded
        left join ${account} a on a.chain_id = ${scope.chainId} and a.address = ${scope.account}
        left join ${launchpad} l on l.chain_id = ${scope.chainId}`,
  );
  return row as AccountRow;
}

/** Sums a column; null if any row lacks a value. */
function knownSum([name, value]: [string, SQL]): SQL {
  return sql`case when count(*) = count(${value}) then coalesce(sum(${value}), 0)::text end as ${sqlName(name)}`;
}
