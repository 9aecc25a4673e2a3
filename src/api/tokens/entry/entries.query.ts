import { curve, launchpadTotals, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { columnList } from "../../database/columns.ts";
import { type PooledDatabase, prepareRows } from "../../database/database.ts";
import { isRegisteredToken } from "../../market/registered-token.query.ts";
import {
  type CreatorRecordRow,
  creatorAccount,
  creatorRecordColumns,
  type RiskRow,
  riskColumns,
} from "../../market/risk.query.ts";
import { totalsBeforeWindows, tradersInWindows, type WindowsRow } from "../../market/windows.query.ts";
import { checkpoints } from "../../ponder/index-state.query.ts";

/** The registration of a token: all null if there is none. */
type RegistrationColumns = {
  /** Of the registration. */
  id: number | null;
  description: string | null;
  image_url: string | null;
  twitter_url: string | null;
  telegram_url: string | null;
  website_url: string | null;
  verified: boolean | null;
  registered_at: string | Date | null;
};

/** Everything that an entry has of a token. Numeric columns are decimal strings, times seconds since 1970. */
export type EntryRow = RegistrationColumns &
  WindowsRow &
  RiskRow &
  CreatorRecordRow & {
    chain_id: number;
    mint: string;
    name: string;
    symbol: string;
    creator: string;
    burn_percent: number;
    launchpad: string;
    total_supply: string;
    holder_count: number;
    /** Null where the index does not have the token yet. */
    created_at: string | null;
    progress: number;
    graduated: boolean;
    price_x36: string;
    pair: string | null;
    /** USD for one BNB with 8 decimals: the price feed's last answer. */
    bnb_usd_x8: string | null;
  };

const columns = sql`r.id, t.chain_id, t.address as mint, t.name, t.symbol, t.creator, t.burn_percent, r.description,
  r.image_url, r.twitter_url, r.telegram_url, r.website_url, r.verified, r.registered_at, t.launchpad, t.total_supply,
  t.holder_count, t.created_at, c.progress, c.graduated, c.price_x36, c.pair, c.close_price_x36, c.buys_to_date,
  c.sells_to_date, c.volume_bnb_to_date, c.volume_usd_to_date, c.last_trade_at, l.bnb_usd_x8,
  ${totalsBeforeWindows} as before_windows, ${tradersInWindows} as traders_in_windows, ${columnList(creatorRecordColumns)},
  ${columnList(riskColumns)}`;

/** Of a token `t`. */
const joins = sql`join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
  join ${checkpoints} at on at.chain_id = t.chain_id
  left join ${launchpadTotals} l on l.chain_id = t.chain_id
  ${creatorAccount}`;

const entries = prepareRows<EntryRow & { id: number }>(
  "entries",
  () => sql`select ${columns} from offchain.registration r join ${token} t on ${isRegisteredToken} ${joins}
        where r.id = any(${sql.placeholder("ids")}::int[])`,
);

/** The listed ones of these registrations, in no order. */
export async function readEntries(db: PooledDatabase, ids: number[]) {
  return ids.length === 0 ? [] : await entries(db, [`{${ids.join(",")}}`]);
}

const entry = prepareRows<EntryRow>(
  "entry",
  () => sql`select ${columns} from ${token} t left join offchain.registration r on ${isRegisteredToken} ${joins}
        where t.chain_id = ${sql.placeholder("chainId")}::int and t.address = ${sql.placeholder("mint")}`,
);

/** A token, registered or not. */
export async function readEntry(
  db: PooledDatabase,
  chainId: number,
  mint: string,
): Promise<EntryRow | undefined> {
  const [row] = await entry(db, [chainId, mint]);
  return row;
}
