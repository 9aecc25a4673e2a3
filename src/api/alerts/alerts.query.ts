import { curve, holder, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import type { StreamPosition } from "../stream/stream-page.query.ts";

/** What the index says of a token now. Amounts are decimal strings. */
export type TokenValues = {
  chain_id: number;
  mint: string;
  price_bnb_x36: string;
  price_usd_x36: string | null;
  progress: number;
  total_supply_raw: string;
  circulating_raw: string;
  holders: number;
  creator_balance_raw: string;
  insider_balance_raw: string;
  sniper_balance_raw: string;
};

export type TokenKey = { chainId: number; mint: string };

/** Reads what conditions on these tokens are about. */
export async function readTokenValues(db: Database, tokens: TokenKey[]): Promise<TokenValues[]> {
  return await queryRows<TokenValues>(
    db,
    sql`select t.chain_id, t.address as mint, c.price_bnb_x36, c.close_price_usd_x36 as price_usd_x36, c.progress, t.total_supply_raw,
          t.circulating_raw, t.holder_count as holders, coalesce(t.creator_balance_raw, 0) as creator_balance_raw,
          t.insider_balance_raw, t.sniper_balance_raw
        from json_to_recordset(${JSON.stringify(tokens)}::json) as wanted ("chainId" int, mint text)
        join ${token} t on t.chain_id = wanted."chainId" and t.address = wanted.mint
        join ${curve} c on c.chain_id = t.chain_id and c.token = t.address`,
  );
}

/** Reads what accounts hold of a token, in base units. None of it for the launchpad, pairs and burn addresses. */
export async function readBalances(
  db: Database,
  { chainId, mint, accounts }: TokenKey & { accounts: string[] },
): Promise<Map<string, bigint>> {
  const rows = await queryRows<{ account: string; balance: string }>(
    db,
    sql`select account, balance_raw as balance from ${holder}
        where chain_id = ${chainId} and token = ${mint} and account = any(${sql.param(accounts)}::text[]) and kind = 'account'`,
  );
  const balances = new Map(accounts.map((account) => [account, 0n]));
  for (const { account, balance } of rows) balances.set(account, BigInt(balance));
  return balances;
}

/** Wei that were traded of a token in a window that ends with a trade: without that trade, and with it. */
export type VolumeAt = { before: bigint; value: bigint };

/**
 * Reads the volumes of a token within so many seconds before a trade, by the seconds: for all windows at once, since a token may have many
 * conditions. Empty if a reorg has removed the trade since.
 */
export async function readVolumesAt(
  db: Database,
  { chainId, mint, id, windows }: TokenKey & { id: string; windows: number[] },
): Promise<Map<number, VolumeAt>> {
  const rows = await queryRows<{ seconds: string; amount: string; value: string }>(
    db,
    sql`select seconds, t.bnb_amount_wei as amount, t.volume_to_date_wei - coalesce((
            select x.volume_to_date_wei from ${trade} x
            where x.chain_id = t.chain_id and x.token = t.token and x.timestamp <= t.timestamp - seconds
            order by x.timestamp desc, x.id desc limit 1), 0) as value
        from ${trade} t cross join unnest(${sql.param(windows)}::int8[]) as seconds
        where t.chain_id = ${chainId} and t.id = ${id} and t.token = ${mint}`,
  );
  return new Map(
    rows.map(({ seconds, amount, value }) => [
      Number(seconds),
      { before: BigInt(value) - BigInt(amount), value: BigInt(value) },
    ]),
  );
}

/** Whether another schema continues the journal, as after an upgrade. */
export async function isJournalPaused(db: Database): Promise<boolean> {
  const rows = await queryRows(db, sql`select from offchain.stream_pause where schema = ${onchainSchema}`);
  return rows.length > 0;
}

/** Reads the oldest event that the journal still has. If it has none, that is the one after `end`. */
export async function readOldestEvent(db: Database, end: StreamPosition): Promise<number> {
  const [row] = await queryRows<{ oldest: string }>(
    db,
    sql`select greatest(begun, kept) as oldest
        from (select max(begun) as begun from offchain.stream_state where schema = ${onchainSchema}) state,
          (select min(id) as kept from offchain.stream_event where schema = ${onchainSchema}) events
        where kept is not null`,
  );
  return Number(row?.oldest ?? end.event + 1);
}
