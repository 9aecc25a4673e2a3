import type { MetadataRow } from "./metadata.query.ts";

/** A token's metadata, under the names that wallets and explorers read. A field that nobody gave is left out. */
export function toMetadata(row: MetadataRow) {
  const links = { twitter: row.twitter_url, telegram: row.telegram_url, website: row.website_url };
  const given = Object.entries(links).filter(
    (link): link is [keyof typeof links, string] => link[1] !== null,
  );
  return {
    name: row.name,
    symbol: row.symbol,
    decimals: 18,
    description: row.description ?? "",
    image: row.image_url ?? "",
    ...(row.website_url === null ? {} : { external_url: row.website_url }),
    ...Object.fromEntries(given),
    mint: row.address,
    chainId: row.chain_id,
    creator: row.creator,
    registered: row.verified !== null,
    verified: row.verified ?? false,
  };
}
