import { curve, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows, readWholeTables } from "../../database/database.ts";
import { isRegisteredToken } from "../../market/hidden-token.query.ts";
import type { IndexedChain } from "../../ponder/index-state.query.ts";
import { creatorHash } from "./changed-creators.query.ts";
import {
  isVolatileOn,
  listedNumbers,
  nameNumbers,
  numberCount,
  selfGraduated,
} from "./listed-tokens.query.ts";
import type { ListedToken } from "./order/entry-table.ts";
import { boardOf, boards } from "./order/sorts.ts";

const doubles = sql.join(
  Object.values(listedNumbers).map((number) => sql`float8send(${number})`),
  sql` || `,
);

/**
 * Reads every listed registration, many in each value, in no particular order. The columns are packed into bytes: as rows of text
 * they would take the driver many times the time and memory.
 */
export async function readAllListedTokens(tx: Database, chains: IndexedChain[]): Promise<Buffer[]> {
  // For the joins, which read all tables from end to end.
  await tx.execute(sql`set local work_mem = '64MB'`);
  const rows = await readWholeTables(tx, () =>
    queryRows<{ packed: Buffer | null }>(
      tx,
      // Most of isRegisteredToken is a filter, not part of the join: with it, Postgres would expect few rows. Grouping by burned
      // share needs no sort, since Postgres knows that there are few.
      // Over a million rows each value and each concatenation costs time, so eight bytes hold as many columns as fit.
      sql`select string_agg(int8send((r.id::int8 << 32) | r.chain_id) || int8send((t.created_block << 32) | coalesce(c.graduated_at, 0))
            || int8send((t.created_log_index::int8 << 32) | (r.burn_percent << 4) | (${selfGraduated}::int << 3)
              | (c.graduated::int << 2) | ((${isVolatileOn(chains)})::int << 1) | r.verified::int)
            || int8send((t.holder_count::int8 << 32) | (${creatorHash} & 4294967295))
            || ${doubles}, ''::bytea)
            filter (where ${isRegisteredToken}) as packed
          from offchain.registration r join ${token} t on t.chain_id = r.chain_id and t.address = r.mint
          join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
          group by r.burn_percent`,
    ),
  );
  await tx.execute(sql`reset work_mem`);
  return rows.flatMap(({ packed }) => packed ?? []);
}

/** A listed registration. Volatile means that a reorg may still change it. */
export type PackedToken = { id: number; token: ListedToken; creator: number; isVolatile: boolean };

/** Where the doubles of a packed registration begin, and where it ends. */
const doublesAt = 32;
const packedBytes = doublesAt + 8 * numberCount;

/** Unpacks the registrations in one value of readAllListedTokens. */
export function* unpackTokens(packed: Buffer): Generator<PackedToken> {
  for (let at = 0; at < packed.length; at += packedBytes) {
    const burnAndFlags = packed.readInt32BE(at + 20);
    const numbers = nameNumbers((index) => packed.readDoubleBE(at + doublesAt + 8 * index));
    const graduated = (burnAndFlags & 4) !== 0;
    yield {
      id: packed.readInt32BE(at),
      isVolatile: (burnAndFlags & 2) !== 0,
      creator: packed.readInt32BE(at + 28),
      token: {
        ...numbers,
        chainId: packed.readInt32BE(at + 4),
        board: boards.indexOf(boardOf({ graduated, progress: numbers.progress })),
        burnPercent: burnAndFlags >> 4,
        createdBlock: packed.readUInt32BE(at + 8),
        graduatedAt: packed.readUInt32BE(at + 12),
        createdLogIndex: packed.readInt32BE(at + 16),
        holders: packed.readInt32BE(at + 24),
        verified: (burnAndFlags & 1) !== 0,
        selfGraduated: (burnAndFlags & 8) !== 0,
      },
    };
  }
}

/** Returns the highest registration id in the values. */
export function highestId(packed: Buffer[]): number {
  let highest = 0;
  for (const some of packed) {
    for (let at = 0; at < some.length; at += packedBytes) highest = Math.max(highest, some.readInt32BE(at));
  }
  return highest;
}
