import { curve, holder, liquidityChange, pastBalance, token, trade, transfer } from "ponder:schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Address } from "viem";
import { startOfBlock } from "../../domain/ids.ts";
import { type Database, queryRows, selectRows } from "../database/database.ts";
import { rankedPage } from "../market/ranked-page.query.ts";
import { daySeconds } from "../market/time.ts";
import type { HolderRow, HoldersQuery } from "./holders.query.ts";
import { maxRank } from "./holders.routes.ts";

export type BlockOrTime = { block: number } | { time: number };

/** A block, and its time in seconds since 1970. */
type Moment = { block: number; time: number };

type OfToken = { chainId: number; mint: Address };

/** A token's markets, and its creation, for its past balances. Undefined if the token is not indexed (yet). */
export async function readHeldToken(db: Database, { chainId, mint }: OfToken) {
  const { creator, launchpad, launchSupplyRaw, createdBlock, createdAt } = token;
  const { openedBlock, pair, graduatedId, graduatedAt } = curve;
  const [row] = await selectRows(db, () =>
    db
      .select({
        creator,
        launchpad,
        launchSupplyRaw,
        createdBlock,
        createdAt,
        openedBlock,
        pair,
        graduatedId,
        graduatedAt,
      })
      .from(token)
      .leftJoin(curve, and(eq(curve.chainId, token.chainId), eq(curve.token, token.address)))
      .where(and(eq(token.chainId, chainId), eq(token.address, mint))),
  );
  return row;
}

type HeldToken = NonNullable<Awaited<ReturnType<typeof readHeldToken>>>;

type EventTable = typeof trade | typeof transfer | typeof liquidityChange;

/** Finds the last block at or before a block or a time in which a token moved. Returns undefined if there is none. */
export async function findLastMovement(
  db: Database,
  { chainId, mint, at }: OfToken & { at: BlockOrTime },
): Promise<Moment | undefined> {
  const upTo = (block: SQL, time: SQL) =>
    "time" in at
      ? sql`${time} <= ${at.time}::int8`
      : sql`${time} <= ${timeOfLastEvent(chainId, at.block)} and ${block} <= ${at.block}::int8`;
  const lastIn = (table: EventTable) => sql`
    (select x.block, x.timestamp from ${table} x
     where x.chain_id = ${chainId} and x.token = ${mint} and ${upTo(sql`x.block`, sql`x.timestamp`)}
     order by x.timestamp desc, x.id desc limit 1)`;
  const [row] = await queryRows<{ block: string; timestamp: string }>(
    db,
    sql`select block, timestamp from (
          ${lastIn(trade)} union all ${lastIn(transfer)} union all ${lastIn(liquidityChange)} union all
          (select t.created_block, t.created_at from ${token} t
           where t.chain_id = ${chainId} and t.address = ${mint} and ${upTo(sql`t.created_block`, sql`t.created_at`)})
        ) movement order by timestamp desc, block desc limit 1`,
  );
  return row && { block: Number(row.block), time: Number(row.timestamp) };
}

/** SQL for the time of the chain's last event up to a block: what is indexed by token is indexed by time, not by block. */
function timeOfLastEvent(chainId: number, block: number): SQL {
  const lastIn = (table: EventTable) => sql`
    (select x.timestamp from ${table} x where x.chain_id = ${chainId} and x.id < ${startOfBlock(block + 1)}
     order by x.id desc limit 1)`;
  return sql`(select max(timestamp) from (
    ${lastIn(trade)} union all ${lastIn(transfer)} union all ${lastIn(liquidityChange)} union all
    (select t.created_at from ${token} t where t.chain_id = ${chainId} and t.created_block <= ${block}::int8
     order by t.created_block desc, t.created_log_index desc limit 1)) event)`;
}

type BalancesQuery = HoldersQuery & {
  held: Pick<
    HeldToken,
    "launchpad" | "launchSupplyRaw" | "createdBlock" | "createdAt" | "openedBlock" | "pair" | "graduatedId"
  >;
  /** A block in which the token moved. */
  at: Moment;
  /** The time of the last indexed block, in seconds since 1970. */
  now: number;
};

type BalancesAt = { holderCount: number; totalSupplyRaw: bigint; ahead: number; rows: HolderRow[] };

/**
 * Returns everyone who had a balance at a moment, the largest first, from `after` or `offset` on, how many come before them, and the totals of all. Begins with the balances at
 * the end of that day or of the day before, and takes back, or adds, the day's changes between there and the moment.
 */
export async function readBalancesAt(
  db: Database,
  { chainId, mint, held, at, now, limit, ...start }: BalancesQuery,
): Promise<BalancesAt> {
  const day = Math.floor(at.time / daySeconds);
  const [dayStart, dayEnd] = [day * daySeconds, (day + 1) * daySeconds];
  // The nearer of the two ends has fewer changes.
  const goesBack = Math.min(dayEnd, now) - at.time < at.time - dayStart;
  const knownDay = goesBack ? day : day - 1;
  const isBetween = (block: SQL, time: SQL) =>
    goesBack
      ? sql`${time} >= ${at.time}::int8 and ${time} < ${dayEnd}::int8 and ${block} > ${at.block}::int8`
      : sql`${time} >= ${dayStart}::int8 and ${time} <= ${at.time}::int8 and ${block} <= ${at.block}::int8`;
  const within = sql`x.chain_id = ${chainId} and x.token = ${mint} and ${isBetween(sql`x.block`, sql`x.timestamp`)}`;
  const changesIn = (table: EventTable, sides: SQL) => sql`
    select side.account, side.change from ${table} x, lateral (values ${sides}) side (account, change) where ${within}`;
  const traded = sql`coalesce(x.tokens_moved_raw, x.token_amount_raw) * case x.side when 'buy' then 1 else -1 end`;
  const added = sql`coalesce(x.tokens_moved_raw, x.token_amount_raw) * case x.kind when 'add' then 1 else -1 end`;
  const market = sql`case venue when 'curve' then ${held.launchpad} else ${held.pair} end`;
  const isCreated = isBetween(sql`${held.createdBlock}::int8`, sql`${held.createdAt}::int8`);
  const isGraduated = held.graduatedId !== null && held.graduatedId < startOfBlock(at.block + 1);

  const { isAfter, ahead, offset } = rankedPage(start, {
    from: sql`balance`,
    where: sql`balance_raw > 0`,
    first: sql`balance_raw`,
    second: sql`account`,
    type: sql`numeric`,
    maxRank,
  });

  // The first row has the totals, and each further one a holder: what all rows repeated would be read ten thousand times.
  type Totals = { holder_count: number; total_supply_raw: string; ahead: number };
  type Balance = {
    account: Address;
    balance_raw: string;
    kind: HolderRow["kind"];
    insider_hops: number | null;
    early_block: number | null;
  };
  const [totals, ...rows] = (await queryRows<Totals | Balance>(
    db,
    sql`with traded as materialized (
          select x.trader, x.venue, sum(${traded}) as change from ${trade} x where ${within} group by x.trader, x.venue
        ), changed as (
          select account, sum(change) as change from (
            select trader as account, change from traded union all
            select ${market}, -sum(change) from traded group by venue union all
            ${changesIn(liquidityChange, sql`(x.token_account, -(${added})), (x.pair, ${added})`)} union all
            ${changesIn(transfer, sql`(x."from", -x.amount_raw), (x."to", x.amount_raw)`)} union all
            select ${held.launchpad}, ${held.launchSupplyRaw}::numeric where ${isCreated}
          ) change group by account
        ), balance as materialized (
          select h.account, h.insider_hops,
            case when ${held.openedBlock}::int8 + h.early_block <= ${at.block}::int8 then h.early_block end as early_block,
            case when h.kind = 'pair' and not ${isGraduated}::bool then 'account' else h.kind::text end as kind,
            case when h.changed_at < ${(knownDay + 1) * daySeconds}::int8 then h.balance_raw else coalesce((
              select case when p.from_day <= ${knownDay} then p.balance_raw end from ${pastBalance} p
              where p.chain_id = h.chain_id and p.token = h.token and p.account = h.account and p.until_day > ${knownDay}
              order by p.until_day limit 1
            ), 0) end + ${goesBack ? -1 : 1} * coalesce(changed.change, 0) as balance_raw
          from ${holder} h left join changed on changed.account = h.account
          where h.chain_id = ${chainId} and h.token = ${mint}
        )
        select count(*) filter (where kind = 'account' and balance_raw > 0)::int as holder_count,
          coalesce(sum(balance_raw), 0) as total_supply_raw, ${ahead} as ahead,
          null as account, null as balance_raw, null as kind, null as insider_hops, null as early_block
        from balance
        union all (
          select null, null, null, account, balance_raw, kind, insider_hops, early_block
          from balance where balance_raw > 0 and ${isAfter} order by balance_raw desc, account desc
          limit ${limit} offset ${offset}
        ) order by balance_raw desc nulls first, account desc`,
  )) as [Totals?, ...Balance[]];
  return {
    holderCount: totals?.holder_count ?? 0,
    totalSupplyRaw: BigInt(totals?.total_supply_raw ?? 0),
    ahead: totals?.ahead ?? 0,
    rows: rows.map(({ account, balance_raw, kind, insider_hops, early_block }) => ({
      account,
      kind,
      balanceRaw: BigInt(balance_raw),
      insiderHops: insider_hops,
      earlyBlock: early_block,
    })),
  };
}

type HolderDaysQuery = {
  chainId: number;
  mint: Address;
  /** Numbers of days since 1970 in UTC. */
  firstDay: number;
  lastDay: number;
  /** The day on which the token graduated; null before. Its DEX pair counts as a holder on the days before. */
  graduatedDay: number | null;
  /** The most balances to read, one per holder and day: the days before are left out. The last day is read in any case. */
  maxBalances: number;
};

/** The balances at the end of a day, in base units: their number, sum and sum of squares, and the sum of the ten largest. */
type HolderDayRow = {
  day: number;
  holders: number;
  circulating: string;
  squares: string;
  top10: string;
  first_day: number;
};

/** Reads what accounts held at the end of each day, the last day so far. Days without holders have no row. */
export async function readHolderDays(
  db: Database,
  { chainId, mint, firstDay, lastDay, graduatedDay, maxBalances }: HolderDaysQuery,
): Promise<HolderDayRow[]> {
  const dayAfter = sql`case when h.kind = 'pair' then ${graduatedDay ?? lastDay + 1}::int else ${lastDay + 1}::int end`;
  return await queryRows(
    db,
    sql`with span as materialized (
          select greatest((h.changed_at / ${daySeconds}::int8)::int, ${firstDay}::int) as from_day, ${dayAfter} as until_day, h.balance_raw
          from ${holder} h
          where h.chain_id = ${chainId} and h.token = ${mint} and h.kind in ('account', 'pair') and h.balance_raw > 0
          union all
          select greatest(p.from_day, ${firstDay}::int), least(p.until_day, ${dayAfter}), p.balance_raw
          from ${holder} h cross join lateral (
            select * from ${pastBalance} p
            where p.chain_id = h.chain_id and p.token = h.token and p.account = h.account and p.until_day > ${firstDay}
            offset 0
          ) p
          where h.chain_id = ${chainId} and h.token = ${mint} and h.kind in ('account', 'pair')
            and h.changed_at >= ${(firstDay + 1) * daySeconds}::int8
        ), change as materialized (
          select day, sum(change) as change
          from span cross join lateral (values (from_day, 1), (until_day, -1)) change (day, change)
          where from_day < until_day group by day
        ), holders as (
          select day, (select sum(change) from change c where c.day <= d.day) as holders
          from generate_series(${firstDay}::int, ${lastDay}::int) d (day)
        ), answered as (
          select min(day) as first_day
          from (select day, sum(holders) over (order by day desc) as balances from holders) read
          where balances <= ${maxBalances} or day = ${lastDay}
        )
        select a.first_day, day, count(*)::int as holders, sum(balance_raw) as circulating,
          sum(balance_raw * balance_raw) as squares,
          (select sum(largest) from unnest((array_agg(balance_raw order by balance_raw desc))[1:10]) largest) as top10
        from answered a cross join span
        cross join lateral generate_series(greatest(from_day, a.first_day), until_day - 1) day
        group by a.first_day, day`,
  );
}
