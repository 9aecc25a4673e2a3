import { curve, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { formatIds } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";
import { isRegisteredToken } from "../../market/hidden-token.query.ts";
import type { IndexedChain } from "../../ponder/index-state.query.ts";
import { creatorHash } from "./changed-creators.query.ts";
import type { ListedNumbers, ListedToken } from "./order/entry-table.ts";
import { boardOf, boards } from "./order/sorts.ts";
import type { Change } from "./order/token-index.ts";

/** A registration, its token if that is listed, and a hash of its creator. Volatile means that a reorg may still change it. */
export type ListedRow = Change & { isVolatile: boolean; creator: number };

type Row = {
  id: number;
  chain_id: number;
  burn_percent: number;
  /** Null without a token. */
  created_block: string | null;
  created_log_index: number;
  graduated: boolean | null;
  graduated_at: number;
  holder_count: number;
  numbers: number[];
  verified: boolean;
  self_graduated: boolean;
  creator: number | null;
  is_volatile: boolean | null;
  is_written: boolean;
};

export type ListedSince = {
  /** The registry's version at the last sync. */
  registry: number;
  /** The chains at the last sync. */
  before: IndexedChain[];
  /** The ids that were volatile at the last sync. */
  volatileIds: number[];
  /** The chains now. */
  now: IndexedChain[];
};

const circulating = sql`t.circulating_raw`;
const bought = sql`c.bought_to_date_wei`;

/** SQL for a token `t` and its curve `c`. Reads of changes and of the whole list have the numbers in this order. */
export const listedNumbers: Record<keyof ListedNumbers, SQL> = {
  progress: sql`c.progress`,
  marketCap: sql`(c.price_bnb_x36 * t.total_supply_raw)::float8`,
  creatorPercent: percentOf(sql`t.creator_balance_raw`, circulating),
  insiderPercent: percentOf(sql`t.insider_balance_raw`, circulating),
  sniperPercent: percentOf(sql`t.sniper_balance_raw`, circulating),
  bundlerPercent: percentOf(sql`t.bundler_balance_raw`, circulating),
  creatorBuysPercent: percentOf(sql`c.creator_bought_to_date_wei`, bought),
  openingBuysPercent: percentOf(sql`c.opening_bought_wei`, bought),
  netVolume: sql`c.net_volume_to_date_wei::float8`,
};

const numbers = sql.join(Object.values(listedNumbers), sql`, `);
type NumberName = keyof ListedNumbers;

const numberNames = Object.keys(listedNumbers) as NumberName[];
export const numberCount = numberNames.length;

const places = Object.fromEntries(numberNames.map((name, place) => [name, place])) as Record<
  NumberName,
  number
>;

/**
 * Names numbers that were read in the order of {@link listedNumbers}. Each name is spelled out, because a loop over the names takes twice as
 * long, and a service that starts does this for every token.
 */
export function nameNumbers(read: (place: number) => number): ListedNumbers {
  return {
    progress: read(places.progress),
    marketCap: read(places.marketCap),
    creatorPercent: read(places.creatorPercent),
    insiderPercent: read(places.insiderPercent),
    sniperPercent: read(places.sniperPercent),
    bundlerPercent: read(places.bundlerPercent),
    creatorBuysPercent: read(places.creatorBuysPercent),
    openingBuysPercent: read(places.openingBuysPercent),
    netVolume: read(places.netVolume),
  };
}

export const selfGraduated = sql`coalesce(c.graduated_by = t.creator, false)`;

/** Rounded down to 4 decimals, as entries have it. */
function percentOf(part: SQL, whole: SQL): SQL {
  return sql`coalesce(div(${part} * 1000000, nullif(${whole}, 0))::float8 / 10000, 0)`;
}

/** Reads every registration whose place in the list may have changed since the last sync. */
export async function readListedTokensSince(db: Database, since: ListedSince): Promise<ListedRow[]> {
  const ids = [
    sql`select id from offchain.registration where version > ${since.registry}`,
    // No longer in offchain.registration, so they join no token, and leave the list.
    sql`select id from offchain.hidden_registration where version > ${since.registry}`,
    sql`select unnest(${formatIds(since.volatileIds)}::int[])`,
    ...since.now.flatMap(({ chainId }) => {
      // Everything on a new chain counts as changed.
      const from = since.before.find((chain) => chain.chainId === chainId)?.safe.timestamp ?? 0;
      return [
        sql`select r.id from ${token} t join offchain.registration r on r.chain_id = t.chain_id and r.mint = t.address
          where t.chain_id = ${chainId} and t.changed_at >= ${from}`,
        sql`select r.id from ${curve} c join offchain.registration r on r.chain_id = c.chain_id and r.mint = c.token
          where c.chain_id = ${chainId} and c.changed_at >= ${from}`,
      ];
    }),
  ];
  const rows = await queryRows<Row>(
    db,
    sql`select ids.id, r.chain_id, r.burn_percent, t.created_block, t.created_log_index, c.graduated,
          coalesce(c.graduated_at, 0)::float8 as graduated_at, t.holder_count, array[${numbers}] as numbers, r.verified,
          ${selfGraduated} as self_graduated, ${creatorHash} as creator, ${isVolatileOn(since.now)} as is_volatile,
          coalesce(r.version > ${since.registry}, false) as is_written
        from (${sql.join(ids, sql` union `)}) ids left join offchain.registration r on r.id = ids.id
        left join ${token} t on ${isRegisteredToken}
        left join ${curve} c on c.chain_id = t.chain_id and c.token = t.address`,
  );
  return rows.map((row) => ({
    id: row.id,
    isVolatile: row.is_volatile === true,
    creator: row.creator ?? 0,
    isWritten: row.is_written,
    token: toListedToken(row),
  }));
}

function toListedToken(row: Row): ListedToken | undefined {
  const { created_block: createdBlock, graduated } = row;
  if (createdBlock === null || graduated === null) return undefined;
  const numbers = nameNumbers((index) => row.numbers[index] ?? 0);
  return {
    ...numbers,
    chainId: row.chain_id,
    board: boards.indexOf(boardOf({ graduated, progress: numbers.progress })),
    burnPercent: row.burn_percent,
    createdBlock: Number(createdBlock),
    createdLogIndex: row.created_log_index,
    graduatedAt: row.graduated_at,
    holders: row.holder_count,
    verified: row.verified,
    selfGraduated: row.self_graduated,
  };
}

/** SQL: whether a reorg may still change what the list knows about a registration `r`, its token `t` or its curve `c`. */
export function isVolatileOn(chains: IndexedChain[]): SQL {
  const conditions = chains.map(
    ({ chainId, safe }) =>
      sql`(r.chain_id = ${chainId} and greatest(t.changed_at, c.changed_at) >= ${safe.timestamp})`,
  );
  return conditions.length === 0 ? sql`false` : sql.join(conditions, sql` or `);
}
