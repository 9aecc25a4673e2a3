import { isIPv6 } from "node:net";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Chains } from "../chain/chains.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../database/database.ts";
import { ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { type SharedJson, shareBytes } from "../http/shared-json.ts";
import { checksumAddress } from "../market/checksum-address.ts";
import {
  type IndexedChain,
  type IndexState,
  readIndexState,
  readIndexStatePrepared,
} from "../ponder/index-state.query.ts";
import {
  type ListableRow,
  readGraduatedTokens,
  readModeratedVersion,
  readOtherTokens,
  readVerifiedTokens,
} from "./listable-tokens.query.ts";
import { type ListedToken, type TokenList, tokenListRoute } from "./wallet-list.routes.ts";

/**
 * Creates the token list of all chains, as JSON. The returned function resolves to a list that is no older than its call, or to
 * undefined if there is no token to list, since the standard requires one.
 */
export function createTokenList(db: PooledDatabase): () => Promise<SharedJson<TokenList> | undefined> {
  let cached: { key: string; list: SharedJson<TokenList> | undefined } | undefined;

  return singleFlight(async () => {
    const key = cacheKey(await readIndexStatePrepared(db));
    if (cached?.key !== key)
      cached = await inSnapshot(db, async (tx) => {
        const state = await readIndexState(tx);
        const [rows, moderated] = [await collectTokens(tx, state.chains), await readModeratedVersion(tx)];
        return { key: cacheKey(state), list: await toJson(rows, moderated) };
      });
    return cached.list;
  });
}

/** The list changes only when a registration is written or a block becomes final. */
function cacheKey({ registry, chains }: IndexState): string {
  return JSON.stringify([registry, chains.map(({ chainId, safe }) => [chainId, safe])]);
}

/** Tokens mapped and serialized at a time, in about half a millisecond: other requests are answered in between. */
const batchSize = 50;

async function toJson(rows: ListableRow[], moderated: number): Promise<SharedJson<TokenList> | undefined> {
  if (rows.length === 0) return undefined;
  const version = listVersion(
    rows.map((row) => ({
      verified: row.verified,
      graduated: row.graduated_at !== null,
      version: Number(row.version),
    })),
    { moderated },
  );
  // The tokens come last in the list.
  const parts = [Buffer.from(JSON.stringify(toTokenList(rows, [], version)).slice(0, -"]}".length))];
  for (let from = 0; from < rows.length; from += batchSize) {
    const tokens = rows.slice(from, from + batchSize).map((row) => toListedToken(row, isListableUrl));
    parts.push(Buffer.from(`${from === 0 ? "" : ","}${JSON.stringify(tokens).slice(1, -1)}`));
    await yieldToEventLoop();
  }
  return shareBytes(Buffer.concat([...parts, Buffer.from("]}")]));
}

type TokenListDeps = {
  chains: Chains;
  tokenList: () => Promise<SharedJson<TokenList> | undefined>;
};

export function createTokenListRoute({ chains, tokenList }: TokenListDeps) {
  return createRouter().openapi(tokenListRoute, async (c) => {
    // The list covers all chains: chainId only selects the one for minBlock and X-Index-Block.
    chains.choose(c.req.valid("query").chainId);
    const list = await tokenList();
    if (list === undefined) throw emptyList();
    return list.send(c, "public, max-age=60");
  });
}

function emptyList(): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_list_empty",
    detail:
      "There is no registered token in a final block yet that a token list allows, and a list must have at least one: try again later.",
  });
}

/** Rows read at a time: few enough that Postgres looks them up by index, in tables of any size. */
const pageSize = 500;

/**
 * Reads the tokens of the list in its order, until the list is full: first verified tokens by registration, then graduated ones
 * by graduation, then the others by registration.
 */
async function collectTokens(
  db: Database,
  chains: IndexedChain[],
  capacity: number = maxTokens,
): Promise<ListableRow[]> {
  const list = await collect(capacity, (last, limit) =>
    readVerifiedTokens(db, chains, { after: last?.id ?? 0, limit }),
  );
  const graduated: ListableRow[] = [];
  for (const chain of chains) {
    const next = await collect(capacity - list.length, (last, limit) =>
      readGraduatedTokens(db, chain, { after: toGraduation(last), limit }),
    );
    graduated.push(...next);
  }
  list.push(...graduated.sort(byGraduation).slice(0, capacity - list.length));
  const others = await collect(capacity - list.length, (last, limit) =>
    readOtherTokens(db, chains, { after: last?.id ?? 0, limit }),
  );
  return [...list, ...others];
}

/** Collects up to `max` listable rows. `read` returns a page of rows after the last one. */
async function collect(
  max: number,
  read: (last: ListableRow | undefined, limit: number) => Promise<ListableRow[]>,
): Promise<ListableRow[]> {
  const collected: ListableRow[] = [];
  let last: ListableRow | undefined;
  while (collected.length < max) {
    const rows = await read(last, pageSize);
    for (const row of rows) {
      if (collected.length < max && isListable(row)) collected.push(row);
    }
    if (rows.length < pageSize) break;
    last = rows.at(-1);
  }
  return collected;
}

const isListable = (row: ListableRow) =>
  row.is_listable && isListableName(row.name) && isListableSymbol(row.symbol);

function toGraduation(row: ListableRow | undefined) {
  return row === undefined || row.graduated_at === null
    ? undefined
    : { graduatedAt: row.graduated_at, mint: row.mint };
}

function byGraduation(left: ListableRow, right: ListableRow): number {
  return (
    Number(left.graduated_at) - Number(right.graduated_at) ||
    left.chain_id - right.chain_id ||
    (left.mint < right.mint ? -1 : 1)
  );
}

/** The last second that RFC 3339, with its four-digit years, can express. */
const lastSecond = 253_402_300_799;

const tags = {
  verified: { name: "Verified", description: "The creator of the token signed its registration." },
  graduated: {
    name: "Graduated",
    description: "The token sold out its bonding curve and trades on the DEX.",
  },
};

/** Builds a token list in Uniswap's format. `tokens` are the rows, mapped by {@link toListedToken}. */
function toTokenList(rows: ListableRow[], tokens: ListedToken[], version: TokenList["version"]): TokenList {
  const latest = rows.reduce((last, row) => Math.max(last, Math.min(changedAt(row), lastSecond)), 0);
  return {
    name: "Token Launchpad",
    timestamp: new Date(latest * 1_000).toISOString(),
    version,
    keywords: ["launchpad", "bonding curve"],
    tags,
    tokens,
  };
}

/** Maps a token to its entry in the list. `isLogo` decides which image URLs are allowed. */
function toListedToken(row: ListableRow, isLogo: (url: string) => boolean): ListedToken {
  const tokenTags: ListedToken["tags"] = [
    ...(row.verified ? (["verified"] as const) : []),
    ...(row.graduated_at === null ? [] : (["graduated"] as const)),
  ];
  return {
    chainId: row.chain_id,
    address: checksumAddress(row.mint),
    decimals: 18,
    name: row.name,
    symbol: row.symbol,
    ...(row.image_url !== null && isLogo(row.image_url) ? { logoURI: row.image_url } : {}),
    ...(tokenTags.length === 0 ? {} : { tags: tokenTags }),
    // Changes whenever the registration does, including fields that are only in GET /api/metadata.
    extensions: { registration: Number(row.version) },
  };
}

/** When the listed fields of the token changed last. */
function changedAt(row: ListableRow): number {
  const times = [row.registered_at, row.issued_at, row.created_at, row.graduated_at];
  return Math.max(...times.map((time) => Number(time ?? 0)));
}

/** The properties of a listed token that determine the list's version. */
type VersionedToken = {
  verified: boolean;
  graduated: boolean;
  /** The registry's version when its registration was last written. */
  version: number;
};

export type ListVersion = { major: number; minor: number; patch: number };

/**
 * Computes the version of a list from its tokens and from `moderated`, the registry's version when the operator last hid a token
 * or showed one again (0: never). It depends on nothing else, so all replicas agree on it. It follows the rules of the standard:
 * major goes up when a token is removed, minor when one is added, patch when one changes.
 *
 * Until the list is full, only the operator removes tokens; hiding one and showing it again both count as major changes. Minor is
 * the number of tokens, and patch grows with each written registration and each graduation. Once the list is full, each change
 * may push a token off its end, so all changes are major.
 */
export function listVersion(
  tokens: VersionedToken[],
  { moderated, capacity = maxTokens }: { moderated: number; capacity?: number },
): ListVersion {
  // Greater than any sum of ranks.
  const step = 3 * capacity + 1;
  if (tokens.length < capacity) {
    const graduated = tokens.filter((token) => token.graduated).length;
    const major = moderated === 0 ? 1 : 2 + moderated * step;
    return { major, minor: tokens.length, patch: latestVersion(tokens) + graduated };
  }
  // The last write comes first: only a write can lower the sum of ranks, and it raises the first part by more. So major only grows.
  const ranks = tokens.reduce((sum, token) => sum + rankOf(token), 0);
  const lastVersion = Math.max(moderated, latestVersion(tokens.filter((token) => rankOf(token) > 0)));
  return { major: 2 + lastVersion * step + ranks, minor: tokens.length, patch: 0 };
}

const rankOf = ({ verified, graduated }: VersionedToken) => (verified ? 2 : 0) + (graduated ? 1 : 0);

const latestVersion = (tokens: VersionedToken[]) =>
  tokens.reduce((last, { version }) => Math.max(last, version), 0);

/*
 * The rules of the schema of Uniswap's token lists (https://uniswap.org/tokenlist.schema.json). JSON Schema counts code points.
 */

/** The most tokens that a list may have. */
export const maxTokens = 10_000;

const countCodePoints = (text: string) => [...text].length;

/** Whether the schema allows the token's name: spaces are the only white space. */
export function isListableName(name: string): boolean {
  return countCodePoints(name) <= 60 && (name === "" || /^[ \S+]+$/u.test(name));
}

/** Whether the schema allows the token's symbol: no white space. */
export function isListableSymbol(symbol: string): boolean {
  return countCodePoints(symbol) <= 20 && (symbol === "" || /^\S+$/u.test(symbol));
}

const character = String.raw`[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2}`;
const uri = new RegExp(
  [
    String.raw`^[A-Za-z][A-Za-z0-9+\-.]*://`,
    `(?:(?:${character}|:)*@)?`,
    String.raw`(?:\[(?<ip>[0-9A-Fa-f:.]+)\]|(?:${character})*)(?::[0-9]*)?`,
    `(?:/(?:${character}|[:@])*)*`,
    String.raw`(?:\?(?:${character}|[:@/?])*)?`,
    `(?:#(?:${character}|[:@/?])*)?$`,
  ].join(""),
);

/** Whether a URL with an authority has the format `uri` of JSON Schema: RFC 3986, which allows only ASCII. */
export function isListableUrl(url: string): boolean {
  const match = uri.exec(url);
  if (match === null) return false;
  const ip = match.groups?.ip;
  return ip === undefined || isIPv6(ip);
}
