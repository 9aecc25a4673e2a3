import { account, curve, holder, launchpadTotals, position, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { columnList } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import { sqlName } from "../database/sql-name.ts";
import type { KeysetPosition } from "../http/cursor.ts";
import { type CreatorRecordRow, creatorRecordColumns } from "../market/risk.query.ts";

type AccountOf = { chainId: number; account: string };
/** A page that begins after a place. */
type Page = { after: KeysetPosition | undefined; limit: number };

/** What an account has and has made, over all tokens. Amounts in wei; numeric columns are decimal strings. */
export type AccountRow = CreatorRecordRow &
  ResultUsdRow & {
    /** Seconds; null for one that nobody has seen. */
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

/** USD with 18 decimals, each trade at its own rate: null where a trade had none. */
type ResultUsdRow = {
  usd_spent: string | null;
  usd_received: string | null;
  open_cost_usd: string | null;
  realised_usd: string | null;
};

/** Always a row, also of an account that nobody has seen. */
export async function readAccount(db: Database, of: AccountOf): Promise<AccountRow> {
  const [row] = await queryRows<AccountRow>(
    db,
    sql`select a.first_seen_at, ${columnList(creatorRecordColumns)}, held.*, traded.*, l.bnb_usd_x8
        from (select count(*)::int as holdings, coalesce(sum(value), 0)::text as value
              from (${holdings(of)}) h) held
        cross join (
          select count(*)::int as positions, coalesce(sum(buys), 0)::int as buys, coalesce(sum(sells), 0)::int as sells,
            coalesce(sum(bnb_spent), 0)::text as bnb_spent, coalesce(sum(bnb_received), 0)::text as bnb_received,
            coalesce(sum(realised_bnb), 0)::text as realised_bnb, coalesce(sum(open_cost), 0)::text as open_cost,
            coalesce(sum(${worth(sql`open_tokens`, priceOf(sql`p`))}), 0)::text as open_value,
            ${sql.join(resultUsdColumns.map(knownSum), sql`, `)}
          from ${position} p where p.chain_id = ${of.chainId} and p.account = ${of.account}) traded
        left join ${account} a on a.chain_id = ${of.chainId} and a.address = ${of.account}
        left join ${launchpadTotals} l on l.chain_id = ${of.chainId}`,
  );
  return row as AccountRow;
}

/** The token of a row, and its price now. Name and symbol are empty where the factory never announced it. */
export type OfTokenRow = {
  token: string;
  name: string;
  symbol: string;
  price_x36: string;
  graduated: boolean;
  /** USD for one BNB with 8 decimals, the last answer; null without a price feed. */
  bnb_usd_x8: string | null;
};

export type HoldingRow = OfTokenRow & {
  /** Base units. */
  balance: string;
  total_supply: string;
  /** Wei, at the price now. */
  value: string;
};

/** Balances above 0, what is worth most first. Places are value and mint. */
export async function readHoldings(
  db: Database,
  { after, limit, ...of }: AccountOf & Page,
): Promise<HoldingRow[]> {
  const behind =
    after === undefined ? sql`` : sql`where (value, token) < (${after.first}::numeric, ${after.second})`;
  return await queryRows<HoldingRow>(
    db,
    sql`select held.token, held.balance, held.value::text as value, ${tokenColumns},
          coalesce(t.total_supply, 0)::text as total_supply
        from (select * from (${holdings(of)}) h ${behind} order by value desc, token desc limit ${limit}) held
        ${joinToken(of.chainId, sql`held.token`)}
        order by held.value desc, held.token desc`,
  );
}

/** A token's trades by the account, and their result. Amounts in wei and base units. */
export type PositionRow = OfTokenRow &
  ResultUsdRow & {
    buys: number;
    sells: number;
    tokens_bought: string;
    tokens_sold: string;
    bnb_spent: string;
    bnb_received: string;
    open_tokens: string;
    open_cost: string;
    realised_bnb: string;
    first_trade_at: string;
    last_trade_at: string;
  };

/** Results by token, the last traded first. Places are the time of the last trade and mint. */
export async function readPositions(
  db: Database,
  { after, limit, ...of }: AccountOf & Page,
): Promise<PositionRow[]> {
  const behind =
    after === undefined ? sql`` : sql`and (last_trade_at, token) < (${after.first}::int8, ${after.second})`;
  return await queryRows<PositionRow>(
    db,
    sql`select made.*, ${tokenColumns}
        from (select token, buys, sells, tokens_bought, tokens_sold, bnb_spent, bnb_received, open_tokens, open_cost,
                realised_bnb, usd_spent, usd_received, open_cost_usd, realised_usd, first_trade_at, last_trade_at
              from ${position}
              where chain_id = ${of.chainId} and account = ${of.account} ${behind}
              order by last_trade_at desc, token desc limit ${limit}) made
        ${joinToken(of.chainId, sql`made.token`)}
        order by made.last_trade_at desc, made.token desc`,
  );
}

export type CreatedTokenRow = OfTokenRow & {
  burn_percent: number;
  total_supply: string;
  holder_count: number;
  /** Seconds. */
  created_at: string;
  created_block: string;
  created_log_index: number;
  progress: number;
  pair: string | null;
};

/** Tokens that the account created, the newest first. Places are the time of creation, and block and log index. */
export async function readCreatedTokens(
  db: Database,
  { after, limit, ...of }: AccountOf & Page,
): Promise<CreatedTokenRow[]> {
  const [block = "0", logIndex = "0"] = after?.second.split("-") ?? [];
  const behind =
    after === undefined
      ? sql``
      : sql`and (created_at, created_block, created_log_index)
              < (${after.first}::int8, ${block}::int8, ${logIndex}::int)`;
  return await queryRows<CreatedTokenRow>(
    db,
    sql`select t.address as token, t.burn_percent, t.total_supply, t.holder_count, t.created_at,
          t.created_block, t.created_log_index, ${tokenColumns}, coalesce(c.progress, 0) as progress, c.pair
        from (select * from ${token}
              where chain_id = ${of.chainId} and creator = ${of.account} ${behind}
              order by created_at desc, created_block desc, created_log_index desc limit ${limit}) t
        ${joinPrice(of.chainId, sql`t.address`)}
        order by t.created_at desc, t.created_block desc, t.created_log_index desc`,
  );
}

const resultUsdColumns: (keyof ResultUsdRow)[] = [
  "usd_spent",
  "usd_received",
  "open_cost_usd",
  "realised_usd",
];

/** The sum over all positions; null where one of them has none. */
function knownSum(column: string): SQL {
  const value = sqlName(column);
  return sql`case when count(*) = count(${value}) then coalesce(sum(${value}), 0)::text end as ${value}`;
}

/** The columns of an {@link OfTokenRow} but the first. */
const tokenColumns = sql`coalesce(t.name, '') as name, coalesce(t.symbol, '') as symbol, coalesce(c.price_x36, 0)::text as price_x36,
   coalesce(c.graduated, false) as graduated, l.bnb_usd_x8`;

function joinToken(chainId: number, mint: SQL): SQL {
  return sql`left join ${token} t on t.chain_id = ${chainId} and t.address = ${mint}
             ${joinPrice(chainId, mint)}`;
}

function joinPrice(chainId: number, mint: SQL): SQL {
  return sql`left join ${curve} c on c.chain_id = ${chainId} and c.token = ${mint}
             left join ${launchpadTotals} l on l.chain_id = ${chainId}`;
}

/** Every balance of the account above 0, with its value. */
function holdings({ chainId, account: address }: AccountOf): SQL {
  // The offset keeps the value from being worked out again wherever it is used.
  return sql`select token, balance, ${worth(sql`balance`, priceOf(sql`b`))} as value from ${holder} b
             where b.chain_id = ${chainId} and b.account = ${address} and b.balance > 0 and b.kind = 'account' offset 0`;
}

// By look-ups: a join may read all curves for an account that holds many tokens.
function priceOf(row: SQL): SQL {
  return sql`coalesce((select c.price_x36 from ${curve} c
                       where c.chain_id = ${row}.chain_id and c.token = ${row}.token), 0)`;
}

/** Wei, rounded down, for base units at a price with 36 decimals. */
function worth(tokens: SQL, price: SQL): SQL {
  return sql`div(${tokens} * ${price}, 1e36::numeric)`;
}
