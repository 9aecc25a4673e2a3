import { curve, launchpad, position, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { columnsOf, type DriverRow, type RowOf } from "../database/columns.ts";
import { type Database, queryRows } from "../database/database.ts";
import type { KeysetPosition } from "../http/cursor.ts";
import { isRowHidden } from "../market/hidden-token.query.ts";
import { type DexFee, exitValue } from "./exit-value.query.ts";
import { type AccountOf, holdingsOf } from "./holding-value.query.ts";

/** A page that begins after a place. */
type Page = { after: KeysetPosition | undefined; limit: number };

/** Of a position `p`: USD with 18 decimals, each trade at its own rate; null where a trade had none. */
export const resultUsdColumns = columnsOf(position, "p", [
  "spent_usd_x18",
  "received_usd_x18",
  "open_cost_usd_x18",
  "realised_usd_x18",
]);

export type ResultUsdRow = RowOf<typeof resultUsdColumns>;

/** The token of a row, and its price now. Name and symbol are empty where the factory never announced it. */
export type OfTokenRow = {
  token: string;
  name: string;
  symbol: string;
  is_hidden: boolean;
  price_bnb_x36: string;
  graduated: boolean;
  /** USD for one BNB with 8 decimals, the last answer; null without a price feed. */
  bnb_usd_x8: string | null;
};

/** Wei that selling would bring; null where the DEX's fee is not known. */
export type ExitRow = { exit: string | null };

export type HoldingRow = OfTokenRow &
  ExitRow & {
    /** Base units. */
    balance_raw: string;
    total_supply_raw: string;
    /** Wei, at the price now. */
    value: string;
  };

/** Returns balances above 0, by value in descending order. Places are value and mint. */
export async function readHoldings(
  db: Database,
  { after, limit, dexFee, ...of }: AccountOf & DexFee & Page,
): Promise<HoldingRow[]> {
  const sale = { chainId: of.chainId, mint: sql`held.token`, tokens: sql`held.balance_raw`, dexFee };
  const behind =
    after === undefined ? sql`` : sql`where (value, token) < (${after.first}::numeric, ${after.second})`;
  return await queryRows<HoldingRow>(
    db,
    sql`select held.token, held.balance_raw, held.value::text as value, ${tokenColumns(of.chainId, sql`held.token`)},
          coalesce(t.total_supply_raw, 0)::text as total_supply_raw, ${exitValue(sale)}::text as exit
        from (select * from (${holdingsOf(of)}) h ${behind} order by value desc, token desc limit ${limit}) held
        ${joinToken(of.chainId, sql`held.token`)}
        order by held.value desc, held.token desc`,
  );
}

/** A token's trades by the account, and their result. */
export type PositionRow = OfTokenRow & ExitRow & DriverRow<typeof position>;

/** Results by token, the last traded first. Places are the time of the last trade and mint. */
export async function readPositions(
  db: Database,
  { after, limit, dexFee, ...of }: AccountOf & DexFee & Page,
): Promise<PositionRow[]> {
  const sale = { chainId: of.chainId, mint: sql`made.token`, tokens: sql`made.open_tokens_raw`, dexFee };
  const behind =
    after === undefined ? sql`` : sql`and (last_trade_at, token) < (${after.first}::int8, ${after.second})`;
  // For an order, also that of the whole query, the planner would walk through all positions of the account to find one.
  const page =
    of.mint === undefined
      ? sql`order by last_trade_at desc, token desc limit ${limit}`
      : sql`and token = ${of.mint} offset 0`;
  return await queryRows<PositionRow>(
    db,
    sql`select made.*, ${tokenColumns(of.chainId, sql`made.token`)}, ${exitValue(sale)}::text as exit
        from (select * from ${position}
              where chain_id = ${of.chainId} and account = ${of.account} ${behind} ${page}) made
        ${joinToken(of.chainId, sql`made.token`)}
        order by made.last_trade_at desc, made.token desc`,
  );
}

export type CreatedTokenRow = OfTokenRow &
  DriverRow<typeof token> & { progress: number; pair: string | null };

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
  // As for positions.
  const page =
    of.mint === undefined
      ? sql`order by created_at desc, created_block desc, created_log_index desc limit ${limit}`
      : sql`and address = ${of.mint} offset 0`;
  return await queryRows<CreatedTokenRow>(
    db,
    sql`select t.*, t.address as token, ${tokenColumns(of.chainId, sql`t.address`)}, coalesce(c.progress, 0) as progress, c.pair
        from (select * from ${token}
              where chain_id = ${of.chainId} and creator = ${of.account} ${behind} ${page}) t
        ${joinPrice(of.chainId, sql`t.address`)}
        order by t.created_at desc, t.created_block desc, t.created_log_index desc`,
  );
}

/** The columns of an {@link OfTokenRow} but the first. */
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
