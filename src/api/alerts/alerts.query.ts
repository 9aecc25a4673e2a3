import { curve, holder, token, trade } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
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

/** The oldest event that the journal still has. No row if it has none. */
const oldestEvent = sql`select greatest(begun, kept) as oldest
  from (select max(begun) as begun from offchain.stream_state where schema = ${onchainSchema}) state,
    (select min(id) as kept from offchain.stream_event where schema = ${onchainSchema}) events
  where kept is not null`;

/** Reads the oldest event that the journal still has. If it has none, that is the one after `end`. */
export async function readOldestEvent(db: Database, end: StreamPosition): Promise<number> {
  const [row] = await queryRows<{ oldest: string }>(db, oldestEvent);
  return Number(row?.oldest ?? end.event + 1);
}

export type JournalPlace = {
  /** As of {@link readOldestEvent}. */
  oldest: number;
  /**
   * For an event of another journal: that schema, or the last event of this one before it if that journal has been dropped. Undefined for
   * an event that this journal has, or had.
   */
  elsewhere: { schema: string } | { last: number } | undefined;
};

/**
 * Looks for an event in the journal. Each schema's journal numbers its own events, so that in another one the same number is another
 * place.
 */
export async function readJournalPlace(
  db: Database,
  event: number,
  end: StreamPosition,
): Promise<JournalPlace> {
  type Row = { oldest: string; last: string | null; other: string | null };
  const [row] = await queryRows<Row>(
    db,
    sql`select oldest,
          (select max(id) from offchain.stream_event where schema = ${onchainSchema} and id <= ${event}) as last,
          (select schema from offchain.stream_state other
           where schema <> ${onchainSchema}
             and exists (select from offchain.stream_event where schema = other.schema and id = ${event}) limit 1) as other
        from (${oldestEvent}) journal`,
  );
  if (row === undefined) return { oldest: end.event + 1, elsewhere: undefined };
  const oldest = Number(row.oldest);
  const last = Number(row.last ?? 0);
  if (last === event) return { oldest, elsewhere: undefined };
  if (row.other !== null) return { oldest, elsewhere: { schema: row.other } };
  // Before all events, it is just no longer kept. Between two of them, it was that of a journal that has been dropped.
  return { oldest, elsewhere: event < oldest ? undefined : { last } };
}

/** Journals that are written at the same time have an event at most this much later than each other, or it may come twice. */
const window = sql`interval '1 hour'`;

/**
 * Reads the last event of this journal before the first one that another schema's journal lacked up to one of its events, which it must
 * have. Fingerprints are not compared: a version with other columns, or a price feed, has others for the same events.
 *
 * Compares one event after the other, each by an index, from an hour before that event on: the journals may have millions.
 */
export async function readContinuation(db: Database, other: string, event: number): Promise<number> {
  const isSame = (had: SQL) =>
    sql`(${had}.chain_id, ${had}.position, ${had}.kind, ${had}.mint) = (event.chain_id, event.position, event.kind, event.mint)
      and ${had}.data::jsonb ->> 'tx' is not distinct from event.data::jsonb ->> 'tx'`;
  const [row] = await queryRows<{ id: string }>(
    db,
    sql`with reached as (select at from offchain.stream_event where schema = ${other} and id = ${event}),
          beginning as (select max(begun) as id from offchain.stream_state where schema = ${onchainSchema}),
          before as (
            select id from offchain.stream_event
            where schema = ${onchainSchema} and at < (select at from reached) - ${window}
              and at >= coalesce((
                select at from offchain.stream_event where schema = ${onchainSchema} and id = (select id from beginning)), '-infinity')
            order by at desc limit 1),
          undone as materialized (
            select chain_id, position, kind, mint, data, removed from offchain.stream_event
            where schema = ${other} and id <= ${event} and at > (select at from reached) - ${window} and not current),
          lacking as (
            select id from offchain.stream_event event
            where schema = ${onchainSchema} and kind <> 'begin'
              and id > greatest((select id from beginning), (select id from before))
              and (at > (select at from reached) + ${window} or not (
                not removed and exists (
                  select from offchain.stream_event had
                  where had.schema = ${other} and had.id <= ${event} and had.current and ${isSame(sql`had`)})
                or not current and exists (
                  select from undone where undone.removed = event.removed and ${isSame(sql`undone`)})))
            order by id limit 1)
        select greatest((select id from beginning), (
          select max(id) from offchain.stream_event
          where schema = ${onchainSchema} and id < coalesce((select id from lacking), ${lastEvent}))) as id`,
  );
  return Number(row?.id);
}

/** Larger than the number of any event. */
const lastEvent = Number.MAX_SAFE_INTEGER;
