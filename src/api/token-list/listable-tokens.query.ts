import { curve, token } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { isRegisteredToken } from "../market/registered-token.query.ts";
import type { IndexedChain } from "../ponder/index-state.query.ts";

/**
 * A registration, or a graduated token, and whether it is of the kind that was asked for. Times in seconds. Integers of 64
 * bits are decimal strings.
 */
export type ListableRow = {
  /** Whether it is a registered token that is on the chain for good, and of that kind. What follows is true of those alone. */
  is_listable: boolean;
  id: number;
  chain_id: number;
  mint: string;
  name: string;
  symbol: string;
  image_url: string | null;
  verified: boolean;
  /** The registry's version with which the registration was last written. */
  version: string;
  registered_at: string;
  issued_at: string | null;
  created_at: string;
  /** Null unless graduated for good. */
  graduated_at: string | null;
};

/** The registry's version with which a token was last hidden or shown again. */
export async function readModeratedVersion(db: Database): Promise<number> {
  const [row] = await queryRows<{ version: string }>(
    db,
    sql`select moderated_version as version from offchain.registry where id = 1`,
  );
  return Number(row?.version ?? 0);
}

/** Registrations after one: those that the token's creator signed. */
export async function readVerifiedTokens(
  db: Database,
  chains: IndexedChain[],
  page: { after: number; limit: number },
): Promise<ListableRow[]> {
  return await readRegistrations(db, chains, page, { of: sql`and verified`, isKind: sql`true` });
}

/** Registrations after one: those that nobody signed, of tokens that have not graduated. */
export async function readOtherTokens(
  db: Database,
  chains: IndexedChain[],
  page: { after: number; limit: number },
): Promise<ListableRow[]> {
  return await readRegistrations(db, chains, page, {
    of: sql``,
    isKind: sql`not r.verified and ${isGraduated(chains)} is not true`,
  });
}

// The page is of registrations, not of tokens found: each has an end, however many are passed over.
async function readRegistrations(
  db: Database,
  chains: IndexedChain[],
  { after, limit }: { after: number; limit: number },
  { of, isKind }: { of: SQL; isKind: SQL },
): Promise<ListableRow[]> {
  return await queryRows<ListableRow>(
    db,
    sql`select coalesce(${isFinal(chains)} and ${isKind}, false) as is_listable, r.chain_id, r.mint,
          ${columns(chains)}
        from (select * from offchain.registration where id > ${after} ${of} order by id limit ${limit}) r
        left join ${token} t on ${isRegisteredToken}
        left join ${curve} c on c.chain_id = t.chain_id and c.token = t.address
        order by r.id`,
  );
}

export type Graduation = { graduatedAt: string; mint: string };

/** Tokens of a chain that have graduated after one: those with a registration that nobody signed. */
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
  onAnyOf(chains, ({ chainId, safe }) => sql`(t.chain_id = ${chainId} and t.created_block <= ${safe.block})`);

/** Within the second of the last final block there may be blocks that are not final. */
const isGraduated = (chains: IndexedChain[]) =>
  onAnyOf(
    chains,
    ({ chainId, safe }) =>
      sql`(c.chain_id = ${chainId} and c.graduated and c.graduated_at < ${safe.timestamp})`,
  );

function onAnyOf(chains: IndexedChain[], condition: (chain: IndexedChain) => SQL): SQL {
  return chains.length === 0 ? sql`false` : sql`(${sql.join(chains.map(condition), sql` or `)})`;
}
