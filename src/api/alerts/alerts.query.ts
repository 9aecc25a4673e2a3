import { curve, holder, token, trade } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import type { StreamPosition } from "../stream/stream-tail.query.ts";

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

/** Reads what an account holds of a token, in base units; 0 for the launchpad, pairs and burn addresses. */
export async function readBalance(
  db: Database,
  { chainId, mint, account }: TokenKey & { account: string },
): Promise<bigint> {
  const [row] = await queryRows<{ balance: string }>(
    db,
    sql`select balance_raw as balance from ${holder} where chain_id = ${chainId} and token = ${mint} and account = ${account}
          and kind = 'account'`,
  );
  return BigInt(row?.balance ?? 0);
}

/**
 * Reads the wei traded of a token within the seconds before a trade, without that trade and with it. Undefined if a reorg has removed
 * the trade since.
 */
export async function readVolumeAt(
  db: Database,
  { chainId, mint, id, seconds }: TokenKey & { id: string; seconds: number },
): Promise<{ before: bigint; value: bigint } | undefined> {
  const [row] = await queryRows<{ amount: string; value: string }>(
    db,
    sql`select t.bnb_amount_wei as amount, t.volume_to_date_wei - coalesce((
            select x.volume_to_date_wei from ${trade} x
            where x.chain_id = t.chain_id and x.token = t.token and x.timestamp <= t.timestamp - ${seconds}::int8
            order by x.timestamp desc, x.id desc limit 1), 0) as value
        from ${trade} t where t.chain_id = ${chainId} and t.id = ${id} and t.token = ${mint}`,
  );
  if (row === undefined) return undefined;
  return { before: BigInt(row.value) - BigInt(row.amount), value: BigInt(row.value) };
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
