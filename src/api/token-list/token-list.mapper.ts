import { checksumAddress } from "../market/checksum-address.ts";
import type { ListableRow } from "./listable-tokens.query.ts";
import type { ListedToken, TokenList } from "./token-list.routes.ts";

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
export function toTokenList(
  rows: ListableRow[],
  tokens: ListedToken[],
  version: TokenList["version"],
): TokenList {
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
export function toListedToken(row: ListableRow, isLogo: (url: string) => boolean): ListedToken {
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
