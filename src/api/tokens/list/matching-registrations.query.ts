import { curve, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { searchesFor, searchForSimilar } from "../../../../offchain/search.ts";
import { parseIds } from "../../database/columns.ts";
import {
  type Database,
  type PooledDatabase,
  queryRows,
  queryRowsUnlessAborted,
} from "../../database/database.ts";
import { isRegisteredToken } from "../../market/hidden-token.query.ts";

/** A condition on the registration alone, so that no block can change its result. */
export type Filter =
  | { kind: "text" | "similar"; chainId: number; query: string }
  | { kind: "creator"; chainId: number; creator: string }
  | { kind: "mint"; chainId: number; mint: string };

export type Matches = {
  /** The registry's version as of which these are the matches. */
  registry: number;
  ids: Int32Array;
};

/** Finds the ids of all registrations that match. Once the signal is aborted, ends the search, and rejects with the signal's reason. */
export async function findMatches(
  db: PooledDatabase,
  filter: Filter,
  signal?: AbortSignal,
): Promise<Matches> {
  return await readMatches(db, sql.join(conditions(filter).map(select), sql` union `), signal);
}

/** The registrations written after a version of the registry. Together with the matches as of that version: all matches. */
export type WrittenSince = {
  registry: number;
  written: Int32Array;
  /** For each filter, the written ones that match it. */
  ids: Int32Array[];
};

/** Finds the registrations written after a version of the registry and, for each filter, those of them that match it. */
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

async function readMatches(db: PooledDatabase, ids: SQL, signal: AbortSignal | undefined): Promise<Matches> {
  // As one string, because separate rows would take the driver many times as long.
  const query = sql`select (select version from offchain.registry where id = 1) as registry, string_agg(id::text, ',') as ids
        from (${ids}) matching`;
  const [row] = await (signal === undefined
    ? queryRows<Row>(db, query)
    : queryRowsUnlessAborted<Row>(db, query, signal));
  return { registry: Number(row?.registry), ids: parseIds(row?.ids) };
}

/** SQL: whether a row of offchain.registration matches. */
const isMatch = (filter: Filter): SQL => sql.join(conditions(filter), sql` or `);

const select = (condition: SQL) => sql`select id from offchain.registration where ${condition}`;

/** Returns conditions of which one has to hold. Each can use an index. */
function conditions(filter: Filter): SQL[] {
  if (filter.kind === "creator") {
    return [sql`(chain_id = ${filter.chainId} and creator = ${filter.creator})`];
  }
  if (filter.kind === "mint") return [sql`(chain_id = ${filter.chainId} and mint = ${filter.mint})`];

  if (filter.kind === "similar") {
    const { candidates = [], pattern = "" } = searchForSimilar(filter.query) ?? {};
    if (candidates.length === 0) return [sql`false`];
    const names = sql`split_part(search, U&'\\0002', 1)`;
    return candidates.map(
      (parts) => sql`(offchain.trigrams(search) @> ${sql.param(parts)}::text[] and ${names} ~ ${pattern})`,
    );
  }

  const inText = searchesFor(filter.query).map(({ index, parts, text }) => {
    const indexed = index === "signs" ? sql`offchain.signs(search)` : sql`offchain.trigrams(search)`;
    return sql`(${indexed} @> ${sql.param(parts)}::text[] and strpos(search, ${text}) > 0)`;
  });
  const prefix = filter.query.toLowerCase();
  if (!/^0x[0-9a-f]+$/.test(prefix)) return inText;
  // "g" comes after every hexadecimal digit, whatever the collation.
  return [...inText, sql`(chain_id = ${filter.chainId} and mint >= ${prefix} and mint < ${`${prefix}g`})`];
}

type ListedMint = { id: number; mint: string; graduated: boolean; progress: number };

/** Reads those of the mints that are listed and match all filters, with their registration ids, in no particular order. */
export async function readListedMints(
  db: Database,
  chainId: number,
  mints: string[],
  filters: Filter[],
): Promise<ListedMint[]> {
  const conditions = [
    sql`chain_id = ${chainId} and mint = any(${sql.param(mints)}::text[])`,
    ...filters.map((filter) => sql`(${isMatch(filter)})`),
  ];
  return await queryRows<ListedMint>(
    db,
    sql`select r.id, r.mint, c.graduated, c.progress
        from (select * from offchain.registration where ${sql.join(conditions, sql` and `)}) r
        join ${token} t on ${isRegisteredToken}
        join ${curve} c on c.chain_id = t.chain_id and c.token = t.address`,
  );
}
