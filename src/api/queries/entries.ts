import { curve, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { prepareRows } from "../lib/database.ts";
import { isRegisteredToken } from "./listed-tokens.ts";

/** A registered token with what the chain says of it. Numeric columns are decimal strings. */
export type EntryRow = {
  id: number;
  chain_id: number;
  mint: string;
  name: string;
  symbol: string;
  creator: string;
  burn_percent: number;
  description: string | null;
  image_url: string | null;
  twitter_url: string | null;
  telegram_url: string | null;
  website_url: string | null;
  verified: boolean;
  registered_at: string;
  launchpad: string;
  total_supply: string;
  holder_count: number;
  created_at: string;
  progress: number;
  graduated: boolean;
  price_x36: string;
  pair: string | null;
};

const entries = prepareRows<EntryRow>(
  "entries",
  () => sql`select r.id, r.chain_id, r.mint, r.name, r.symbol, r.creator, r.burn_percent, r.description, r.image_url,
          r.twitter_url, r.telegram_url, r.website_url, r.verified, r.registered_at, t.launchpad, t.total_supply,
          t.holder_count, t.created_at, c.progress, c.graduated, c.price_x36, c.pair
        from offchain.registration r
        join ${token} t on ${isRegisteredToken}
        join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
        where r.id = any(${sql.placeholder("ids")}::int[])`,
);

/** The listed ones of these registrations, in no order. */
export async function readEntries(db: NodePgDatabase, ids: number[]): Promise<EntryRow[]> {
  return ids.length === 0 ? [] : await entries(db, [`{${ids.join(",")}}`]);
}
