import { account, curve, launchpad, token, tokenSymbol } from "ponder:schema";
import { and, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import { registration } from "../../../../offchain/schema.ts";
import { symbolHash } from "../../../domain/ids.ts";
import { columnList, columnsOf, type RowOf } from "../../database/columns.ts";
import {
  type Database,
  type PooledDatabase,
  prepareRows,
  queryRows,
  selectRows,
} from "../../database/database.ts";
import { isRegisteredToken } from "../../market/hidden-token.query.ts";
import { joinPair, type MarketRow, marketColumns } from "../../market/quote-state.query.ts";
import {
  type CreatorRecordRow,
  creatorAccount,
  creatorRecordColumns,
  riskColumns,
} from "../../market/risk.query.ts";
import {
  totalsBeforeWindows,
  tradersInWindows,
  type WindowsRow,
  windowsUntil,
} from "../../market/windows.query.ts";
import { checkpoints } from "../../ponder/index-state.query.ts";

const registrationColumns = columnsOf(registration, "r", [
  "id",
  "description",
  "image_url",
  "twitter_url",
  "telegram_url",
  "website_url",
  "verified",
  "registered_at",
]);

const tokenColumns = columnsOf(token, "t", [
  "chain_id",
  "name",
  "symbol",
  "creator",
  "burn_percent",
  "launchpad",
  "total_supply_raw",
  "holder_count",
]);

const curveColumns = columnsOf(curve, "c", [
  "progress",
  "graduated",
  "graduated_at",
  "price_bnb_x36",
  "pair",
  "close_price_bnb_x36",
  "buys_to_date",
  "sells_to_date",
  "volume_to_date_wei",
  "volume_to_date_usd_x18",
  "net_volume_to_date_wei",
  "last_trade_at",
  "liquidity_wei",
]);

const columns = {
  ...tokenColumns,
  mint: sql<string>`t.address`,
  /** Null if the token is not indexed yet. */
  created_at: sql<string | null>`t.created_at`,
  created_block: sql<string | null>`t.created_block`,
  ...curveColumns,
  /** USD for one BNB with 8 decimals, the price feed's last answer. */
  bnb_usd_x8: sql<string | null>`l.bnb_usd_x8`,
  before_windows: sql<WindowsRow["before_windows"]>`${totalsBeforeWindows}`,
  traders_in_windows: sql<WindowsRow["traders_in_windows"]>`${tradersInWindows}`,
  ...creatorRecordColumns,
  ...riskColumns,
};

type RegistrationRow = RowOf<typeof registrationColumns>;

/** The row behind a token's entry. Without a registration, its columns are null. Times are in seconds since 1970. */
export type EntryRow = RowOf<typeof columns> & {
  [Name in keyof RegistrationRow]: RegistrationRow[Name] | null;
};

const entryColumns = { ...registrationColumns, ...columns };
const selected = columnList(entryColumns);

const joins = sql`join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
  join ${checkpoints} at on at.chain_id = t.chain_id
  left join ${launchpad} l on l.chain_id = t.chain_id
  ${creatorAccount}`;

/** Which write of the chain's checkpoint an entry was read after, and when (in seconds) its windows change by themselves. */
const validityColumns = {
  as_of: sql<string>`at.xmin::text`,
  windows_until: sql<string | null>`${windowsUntil}`,
};

export type ListEntryRow = EntryRow & { id: number } & RowOf<typeof validityColumns>;

const entries = prepareRows<ListEntryRow>(
  "entries",
  () => sql`select ${selected}, ${columnList(validityColumns)} from offchain.registration r join ${token} t on ${isRegisteredToken} ${joins}
        where r.id = any(${sql.placeholder("ids")}::int[])`,
);

/** Reads the entries of registrations, in no particular order. Leaves out those that are not listed. */
export async function readEntries(db: PooledDatabase, ids: number[]) {
  return ids.length === 0 ? [] : await entries(db, [`{${ids.join(",")}}`]);
}

const entry = prepareRows<EntryRow & MarketRow>(
  "entry",
  () => sql`select ${columnList({ ...entryColumns, ...marketColumns })}
        from ${token} t left join offchain.registration r on ${isRegisteredToken} ${joins} ${joinPair}
        where t.chain_id = ${sql.placeholder("chainId")}::int and t.address = ${sql.placeholder("mint")}`,
);

/** Reads the entry of a token, registered or not, and what its trades cost, as of the same block. */
export async function readEntry(
  db: PooledDatabase,
  chainId: number,
  mint: string,
): Promise<(EntryRow & MarketRow) | undefined> {
  const [row] = await entry(db, [chainId, mint]);
  return row;
}

export async function countTokensWithSymbol(db: Database, chainId: number, symbol: string): Promise<number> {
  const [row] = await selectRows(db, () =>
    db
      .select({ tokens: tokenSymbol.tokens })
      .from(tokenSymbol)
      .where(and(eq(tokenSymbol.chainId, chainId), eq(tokenSymbol.symbolHash, symbolHash(symbol)))),
  );
  return row?.tokens ?? 0;
}

/** Reads what a registration of the token has to agree with. Undefined if the token is not indexed (yet). */
export async function readIndexedToken(db: Database, chainId: number, mint: Address) {
  const { name, symbol, creator, burnPercent, launchpad } = token;
  const [row] = await selectRows(db, () =>
    db
      .select({ name, symbol, creator, burnPercent, launchpad })
      .from(token)
      .where(and(eq(token.chainId, chainId), eq(token.address, mint))),
  );
  return row;
}

/** What the index knows that concerns a token which is not indexed yet. */
export type NewEntryFactsRow = CreatorRecordRow & {
  /** USD for one BNB with 8 decimals, the price feed's last answer. */
  bnb_usd_x8: string | null;
};

export async function readNewEntryFacts(
  db: Database,
  chainId: number,
  creator: string,
): Promise<NewEntryFactsRow> {
  const [row] = await queryRows<NewEntryFactsRow>(
    db,
    sql`select ${columnList(creatorRecordColumns)}, l.bnb_usd_x8
        from (select ${chainId}::int as chain_id) chain
        left join ${launchpad} l on l.chain_id = chain.chain_id
        left join ${account} a on a.chain_id = chain.chain_id and a.address = ${creator}`,
  );
  return row ?? { tokens_created: 0, tokens_graduated: 0, tokens_sold_out: 0, bnb_usd_x8: null };
}
