import { type SQL, sql } from "drizzle-orm";
import { searchFor } from "../../../../offchain/search.ts";
import { type Database, queryRows } from "../../database/database.ts";
import { parseIds } from "../../database/ids.ts";

/** A condition on registrations alone, which the chain can't change. */
export type Filter =
  | { kind: "text"; chainId: number; query: string }
  | { kind: "creator"; chainId: number; creator: string }
  | { kind: "mint"; chainId: number; mint: string };

export type Matches = {
  /** The registry's version that this is true of. */
  registry: number;
  ids: Int32Array;
};

/** The ids of all registrations that match. */
export async function findMatches(db: Database, filter: Filter): Promise<Matches> {
  return await readMatches(db, sql.join(conditions(filter).map(select), sql` union `));
}

/** What was written after a version of the registry. With the matches as of that version: all matches. */
export type WrittenSince = {
  registry: number;
  written: Int32Array;
  /** Those of them that match each of the filters. */
  ids: Int32Array[];
};

/** The registrations written after a version of the registry, and those of them that match each of some filters. */
export async function findMatchesSince(
  db: Database,
  filters: Filter[],
  registry: number,
): Promise<WrittenSince> {
  const matching = filters.map((filter) => sql`string_agg(id::text, ',') filter (where ${isMatch(filter)})`);
  const [row] = await queryRows<{ registry: string; written: string | null; ids: (string | null)[] }>(
    db,
    sql`select (select version from offchain.registry where id = 1) as registry,
          string_agg(id::text, ',') as written, array[${sql.join(matching, sql`, `)}]::text[] as ids
        from offchain.registration where version > ${registry}`,
  );
  return {
    registry: Number(row?.registry),
    written: parseIds(row?.written),
    ids: filters.map((_, index) => parseIds(row?.ids[index])),
  };
}

type Row = { registry: string; ids: string | null };

async function readMatches(db: Database, ids: SQL): Promise<Matches> {
  const [row] = await queryRows<Row>(
    db,
    // As one string: the driver takes many times as long for as many rows.
    sql`select (select version from offchain.registry where id = 1) as registry, string_agg(id::text, ',') as ids
        from (${ids}) matching`,
  );
  return { registry: Number(row?.registry), ids: parseIds(row?.ids) };
}

/** Whether a row of offchain.registration matches. */
export const isMatch = (filter: Filter): SQL => sql.join(conditions(filter), sql` or `);

const select = (condition: SQL) => sql`select id from offchain.registration where ${condition}`;

/** One of them has to hold. Each is answered from an index. */
function conditions(filter: Filter): SQL[] {
  if (filter.kind === "creator") {
    return [sql`(chain_id = ${filter.chainId} and creator = ${filter.creator})`];
  }
  if (filter.kind === "mint") return [sql`(chain_id = ${filter.chainId} and mint = ${filter.mint})`];

  const { index, parts, text } = searchFor(filter.query);
  const indexed = index === "signs" ? sql`offchain.signs(search)` : sql`offchain.trigrams(search)`;
  const inText = sql`(${indexed} @> ${sql.param(parts)}::text[] and strpos(search, ${text}) > 0)`;
  const prefix = filter.query.toLowerCase();
  if (!/^0x[0-9a-f]+$/.test(prefix)) return [inText];
  // "g" comes after every hexadecimal digit, whatever the collation.
  return [inText, sql`(chain_id = ${filter.chainId} and mint >= ${prefix} and mint < ${`${prefix}g`})`];
}
