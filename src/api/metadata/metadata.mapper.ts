import type { MetadataRow } from "./metadata.query.ts";
import type { Metadata } from "./metadata.routes.ts";

/** A token's metadata, under the names that wallets and explorers read. A field that nobody gave is left out. */
export function toMetadata(row: MetadataRow): Metadata {
  return {
    name: row.name,
    symbol: row.symbol,
    decimals: 18,
    description: row.description ?? "",
    image: row.image_url ?? "",
    external_url: row.website_url ?? undefined,
    twitter: row.twitter_url ?? undefined,
    telegram: row.telegram_url ?? undefined,
    website: row.website_url ?? undefined,
    mint: row.address,
    chainId: row.chain_id,
    creator: row.creator,
    registered: row.verified !== null,
    verified: row.verified ?? false,
  };
}
