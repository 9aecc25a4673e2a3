import { account, curve, holder, launchpad, position, token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { columnList, columnsOf, type DriverRow, type RowOf, sqlName } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import type { KeysetPage, KeysetPosition } from "../http/cursor.ts";
import { type DexFee, exitValue, valueAndExit, valueAtPrice } from "../market/exit-value.query.ts";
import { isRowHidden } from "../market/hidden-token.query.ts";
import { type CreatorRecordRow, creatorRecordColumns } from "../market/risk.query.ts";
import { tradeSums } from "../market/trades.query.ts";

/** Results of a position `p` in USD with 18 decimals, each trade at the rate of its time; null if a trade had no rate. */
const resultUsdColumns = columnsOf(position, "p", [
  "spent_usd_x18",
  "received_usd_x18",
  "open_cost_usd_x18",
  "realised_usd_x18",
]);

type ResultUsdRow = RowOf<typeof resultUsdColumns>;

/** A row's token and its current price. Name and symbol are empty if the factory never announced it. */
export type TokenColumnsRow = {
  token: string;
  name: string;
  symbol: string;
  is_hidden: boolean;
  price_bnb_x36: string;
  graduated: boolean;
  /** USD for one BNB with 8 decimals, as last answered; null without a price feed. */
  bnb_usd_x8: string | null;
};

/** Wei that selling would bring; null if it depends on the DEX's fee and that is unknown. */
export type ExitRow = { exit: string | null };

export type HoldingRow = TokenColumnsRow &
  ExitRow & {
    /** Base units. */
    balance_raw: string;
    total_supply_raw: string;
    /** Wei, at the current price. */
    value: string;
  };

/** Returns balances above 0, the most valuable first. The keyset is value and mint. */
export async function readHoldings(
  db: Database,
  { after, limit, dexFee, ...scope }: AccountScope & DexFee & KeysetPage,
): Promise<HoldingRow[]> {
  const sale = { chainId: scope.chainId, mint: sql`held.token`, tokens: sql`held.balance_raw`, dexFee };
  const afterCursor =
    after === undefined ? sql`` : sql`where (value, token) < (${after.first}::numeric, ${after.second})`;
  return await queryRows<HoldingRow>(
    db,
    sql`select held.token, held.balance_raw, held.value::text as value, ${tokenColumns(scope.chainId, sql`held.token`)},
          coalesce(t.total_supply_raw, 0)::text as total_supply_raw, ${exitValue(sale)}::text as exit
        from (select * from (${selectHoldings(scope)}) h ${afterCursor} order by value desc, token desc limit ${limit}) held
        ${joinToken(scope.chainId, sql`held.token`)}
        order by held.value desc, held.token desc`,
  );
}

/** The account's trades of one token, and their result. */
export type PositionRow = TokenColumnsRow & ExitRow & DriverRow<typeof position>;

/**
 * Returns results by token: those that were traded, the last traded first, then those that were only received or sent. The keyset is
 * the time of the last trade, 0 without one, and mint.
 */
export async function readPositions(
  db: Database,
  { after, limit, dexFee, ...scope }: AccountScope & DexFee & KeysetPage,
): Promise<PositionRow[]> {
  const sale = { chainId: scope.chainId, mint: sql`made.token`, tokens: sql`made.open_tokens_raw`, dexFee };
  const own = sql`select * from ${position} where chain_id = ${scope.chainId} and account = ${scope.account}`;
  const untradedAfter = after?.first === "0" ? sql`and token < ${after.second}` : sql``;
  const untraded = sql`${own} and last_trade_at is null ${untradedAfter} order by token desc limit ${limit}`;
  const tradedAfter =
    after === undefined ? sql`` : sql`and (last_trade_at, token) < (${after.first}::int8, ${after.second})`;
  const traded = sql`${own} and last_trade_at is not null ${tradedAfter}
                     order by last_trade_at desc, token desc limit ${limit}`;
  // With any order, even that of the outer query, the planner would walk all of the account's positions to find one:
  // `offset 0` keeps the outer order out.
  const page =
    scope.mint === undefined
      ? sql`(${traded}) union all (${untraded})`
      : sql`${own} and token = ${scope.mint} ${positionsAfter(after)} offset 0`;
  return await queryRows<PositionRow>(
    db,
    sql`select made.*, ${tokenColumns(scope.chainId, sql`made.token`)}, ${exitValue(sale)}::text as exit
        from (${page}) made
        ${joinToken(scope.chainId, sql`made.token`)}
        order by made.last_trade_at desc nulls last, made.token desc limit ${limit}`,
  );
}

function positionsAfter(after: KeysetPosition | undefined): SQL {
  if (after === undefined) return sql``;
  return sql`and (coalesce(last_trade_at, 0), token) < (${after.first}::int8, ${after.second})`;
}

export type CreatedTokenRow = TokenColumnsRow &
  DriverRow<typeof token> & { progress: number; pair: string | null; realised_wei: string };

/** Returns the tokens that the account created, the newest first. The keyset is the creation's time, and its block and log index. */
export async function readCreatedTokens(
  db: Database,
  { after, limit, ...scope }: AccountScope & KeysetPage,
): Promise<CreatedTokenRow[]> {
  const [block = "0", logIndex = "0"] = after?.second.split("-") ?? [];
  const afterCursor =
    after === undefined
      ? sql``
      : sql`and (created_at, created_block, created_log_index)
              < (${after.first}::int8, ${block}::int8, ${logIndex}::int)`;
  // See readPositions.
  const page =
    scope.mint === undefined
      ? sql`order by created_at desc, created_block desc, created_log_index desc limit ${limit}`
      : sql`and address = ${scope.mint} offset 0`;
  return await queryRows<CreatedTokenRow>(
    db,
    sql`select t.*, t.address as token, ${tokenColumns(scope.chainId, sql`t.address`)}, coalesce(c.progress, 0) as progress, c.pair,
          coalesce((select p.realised_wei from ${position} p
            where p.chain_id = t.chain_id and p.token = t.address and p.account = t.creator), 0)::text as realised_wei
        from (select * from ${token}
              where chain_id = ${scope.chainId} and creator = ${scope.account} ${afterCursor} ${page}) t
        ${joinPrice(scope.chainId, sql`t.address`)}
        order by t.created_at desc, t.created_block desc, t.created_log_index desc`,
  );
}

/** The columns of a {@link TokenColumnsRow} except `token`. */
const tokenColumns = (
  chainId: number,
  mint: SQL,
) => sql`${isRowHidden(sql`${chainId}`, mint)} as is_hidden, coalesce(t.name, '') as name, coalesce(t.symbol, '') as symbol, coalesce(c.price_bnb_x36, 0)::text as price_bnb_x36,
   coalesce(c.graduated, false) as graduated, l.bnb_usd_x8`;

function joinToken(chainId: number, mint: SQL): SQL {
  return sql`left join ${token} t on t.chain_id = ${chainId} and t.address = ${mint}
             ${joinPrice(chainId, mint)}`;
}

function joinPrice(chainId: number, mint: SQL): SQL {
  return sql`left join ${curve} c on c.chain_id = ${chainId} and c.token = ${mint}
             left join ${launchpad} l on l.chain_id = ${chainId}`;
}

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

/** An account on a chain, optionally restricted to one token. */
type AccountScope = { chainId: number; account: string; mint?: string };

/** Selects the account's balances above 0 with their values. */
function selectHoldings({ chainId, account: address, mint }: AccountScope): SQL {
  const tokenCondition = mint === undefined ? sql`` : sql`and b.token = ${mint}`;
  // `offset 0` keeps the planner from computing the value again wherever it is used.
  return sql`select token, balance_raw, ${valueAtPrice(sql`balance_raw`, priceOf(sql`b`))} as value from ${holder} b
             where b.chain_id = ${chainId} and b.account = ${address} ${tokenCondition} and b.balance_raw > 0 and b.kind = 'account' offset 0`;
}

// A subquery, since a join may read all curves for an account that holds many tokens.
function priceOf(row: SQL): SQL {
  return sql`coalesce((select c.price_bnb_x36 from ${curve} c
                       where c.chain_id = ${row}.chain_id and c.token = ${row}.token), 0)`;
}

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
