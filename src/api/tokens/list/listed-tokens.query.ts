import { curve, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../../database/database.ts";
import { formatIds } from "../../database/ids.ts";
import { isRegisteredToken } from "../../market/registered-token.query.ts";
import type { IndexedChain } from "../../ponder/index-state.query.ts";
import { boardOf, boards } from "./order/boards.ts";
import type { Change } from "./order/list-order.ts";

/** A registration and whether its token is listed. Volatile: a reorg may still change it. */
export type ListedRow = Change & { isVolatile: boolean };

type Row = {
  id: number;
  chain_id: number;
  burn_percent: number;
  created_block: string | null;
  created_log_index: number;
  graduated: boolean | null;
  progress: number;
  holder_count: number;
  market_cap: number;
  is_volatile: boolean | null;
  is_written: boolean;
};

/** Registrations with ids above `after`, in the order of their ids. */
export async function listedTokensAfter(
  db: Database,
  after: number,
  limit: number,
  chains: IndexedChain[],
): Promise<ListedRow[]> {
  const ids = sql`select id from offchain.registration where id > ${after} order by id limit ${limit}`;
  return await readListed(db, ids, chains, undefined);
}

export type ListedSince = {
  /** The registry's version at the last look. */
  registry: number;
  /** The chains at the last look. */
  before: IndexedChain[];
  /** What was volatile at the last look. */
  volatileIds: number[];
  /** The chains now. */
  now: IndexedChain[];
};

/** Every registration whose place in the list may have changed since the last look. */
export async function listedTokensSince(db: Database, since: ListedSince): Promise<ListedRow[]> {
  const ids = [
    sql`select id from offchain.registration where version > ${since.registry}`,
    sql`select unnest(${formatIds(since.volatileIds)}::int[])`,
    ...since.now.flatMap(({ chainId }) => {
      // A chain that is new has changed as a whole.
      const from = since.before.find((chain) => chain.chainId === chainId)?.safe.timestamp ?? 0;
      return [
        sql`select r.id from ${token} t join offchain.registration r on r.chain_id = t.chain_id and r.mint = t.address
          where t.chain_id = ${chainId} and t.changed_at >= ${from}`,
        sql`select r.id from ${curve} c join offchain.registration r on r.chain_id = c.chain_id and r.mint = c.token
          where c.chain_id = ${chainId} and c.changed_at >= ${from}`,
      ];
    }),
  ];
  return await readListed(db, sql.join(ids, sql` union `), since.now, since.registry);
}

/** @param registry the version since which a row counts as written; undefined: none does */
async function readListed(
  db: Database,
  ids: SQL,
  chains: IndexedChain[],
  registry: number | undefined,
): Promise<ListedRow[]> {
  const isVolatile = chains.map(
    ({ chainId, safe }) =>
      sql`(r.chain_id = ${chainId} and greatest(t.changed_at, c.changed_at) >= ${safe.timestamp})`,
  );
  const found = await queryRows<Row>(
    db,
    sql`select r.id, r.chain_id, r.burn_percent, t.created_block, t.created_log_index, c.graduated, c.progress,
          t.holder_count, (c.price_x36 * t.total_supply)::float8 as market_cap,
          ${isVolatile.length === 0 ? sql`false` : sql.join(isVolatile, sql` or `)} as is_volatile,
          ${registry === undefined ? sql`false` : sql`r.version > ${registry}`} as is_written
        from (${ids}) ids join offchain.registration r on r.id = ids.id
        left join ${token} t on ${isRegisteredToken}
        left join ${curve} c on c.chain_id = t.chain_id and c.token = t.address`,
  );
  return found.map((row) => ({
    id: row.id,
    isVolatile: row.is_volatile === true,
    isWritten: row.is_written,
    token:
      row.created_block === null || row.graduated === null
        ? undefined
        : {
            chainId: row.chain_id,
            board: boards.indexOf(boardOf({ graduated: row.graduated, progress: row.progress })),
            burnPercent: row.burn_percent,
            createdBlock: Number(row.created_block),
            createdLogIndex: row.created_log_index,
            progress: row.progress,
            holders: row.holder_count,
            marketCap: row.market_cap,
          },
  }));
}
