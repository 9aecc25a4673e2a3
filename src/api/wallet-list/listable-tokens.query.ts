import { curve, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { isRegisteredToken } from "../market/hidden-token.query.ts";
import type { IndexedChain } from "../ponder/index-state.query.ts";

/**
 * A registration or a graduated token, and whether it is of the kind that is read. Times are in seconds. 64-bit integers are
 * decimal strings.
 */
export type ListableRow = {
  /** Whether it is a registered token in a final block, and of that kind. The other fields are valid only if so. */
  is_listable: boolean;
  id: number;
  chain_id: number;
  mint: string;
  name: string;
  symbol: string;
  image_url: string | null;
  verified: boolean;
  /** The registry's version when the registration was last written. */
  version: string;
  registered_at: string;
  issued_at: string | null;
  created_at: string;
  /** Null unless the graduation is final. */
  graduated_at: string | null;
};

/** Reads the registry's version when a token was last hidden or shown again. */
export async function readModeratedVersion(db: Database): Promise<number> {
  const [row] = await queryRows<{ version: string }>(
    db,
    sql`select moderated_version as version from offchain.registry where id = 1`,
  );
  return Number(row?.version ?? 0);
}

/** Reads registrations after the given one that the token's creator signed. */
export async function readVerifiedTokens(
  db: Database,
  chains: IndexedChain[],
  page: { after: number; limit: number },
): Promise<ListableRow[]> {
  return await readRegistrations(db, chains, page, { filter: sql`and verified`, isKind: sql`true` });
}

/** Reads registrations after the given one: listable are unsigned ones of tokens that have not graduated. */
export async function readOtherTokens(
  db: Database,
  chains: IndexedChain[],
  page: { after: number; limit: number },
): Promise<ListableRow[]> {
  return await readRegistrations(db, chains, page, {
    filter: sql``,
    isKind: sql`not r.verified and ${isGraduated(chains)} is not true`,
  });
}

// A page counts registrations, not the tokens found among them, so that its cost is bounded, however many are not listable.
async function readRegistrations(
  db: Database,
  chains: IndexedChain[],
  { after, limit }: { after: number; limit: number },
  { filter, isKind }: { filter: SQL; isKind: SQL },
): Promise<ListableRow[]> {
  return await queryRows<ListableRow>(
    db,
    sql`select coalesce(${isFinal(chains)} and ${isKind}, false) as is_listable, r.chain_id, r.mint,
          ${columns(chains)}
        from (select * from offchain.registration where id > ${after} ${filter} order by id limit ${limit}) r
        left join ${token} t on ${isRegisteredToken}
        left join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
        order by r.id`,
  );
}

export type Graduation = { graduatedAt: string; mint: string };

/** Reads tokens of a chain that graduated after the given one: listable are those with an unsigned registration. */
export async function readGraduatedTokens(
  db: Database,
  chain: IndexedChain,
  { after, limit }: { after: Graduation | undefined; limit: number },
): Promise<ListableRow[]> {
  const rest =
    after === undefined ? sql`` : sql`and (graduated_at, token) > (${after.graduatedAt}, ${after.mint})`;
  return await queryRows<ListableRow>(
    db,
    sql`select coalesce(not r.verified, false) as is_listable, c.chain_id, c.token as mint, ${columns([chain])}
        from (select * from ${curve}
          where chain_id = ${chain.chainId} and graduated and graduated_at < ${chain.safe.timestamp} ${rest}
          order by graduated_at, token limit ${limit}) c
        left join ${token} t on t.chain_id = c.chain_id and t.address = c.token
        left join offchain.registration r on ${isRegisteredToken}
        order by c.graduated_at, c.token`,
  );
}

const columns = (chains: IndexedChain[]) =>
  sql`r.id, r.name, r.symbol, r.image_url, r.verified, r.version, r.issued_at, t.created_at,
      extract(epoch from r.registered_at)::bigint as registered_at,
      case when ${isGraduated(chains)} then c.graduated_at end as graduated_at`;

const isFinal = (chains: IndexedChain[]) =>
  onAnyChain(
    chains,
    ({ chainId, safe }) => sql`(t.chain_id = ${chainId} and t.created_block <= ${safe.block})`,
  );

/** Excludes the second of the last final block, in which there may be blocks that are not final. */
const isGraduated = (chains: IndexedChain[]) =>
  onAnyChain(
    chains,
    ({ chainId, safe }) =>
      sql`(c.chain_id = ${chainId} and c.graduated and c.graduated_at < ${safe.timestamp})`,
  );

function onAnyChain(chains: IndexedChain[], condition: (chain: IndexedChain) => SQL): SQL {
  return chains.length === 0 ? sql`false` : sql`(${sql.join(chains.map(condition), sql` or `)})`;
}
