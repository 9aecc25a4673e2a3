import type { MetadataRow } from "./metadata.query.ts";
import type { Metadata } from "./metadata.routes.ts";

/** A token's metadata, under the names that wallets and explorers read. A field that nobody gave is left out. */
export function toMetadata({ token, registration }: MetadataRow): Metadata {
  return {
    name: token.name,
    symbol: token.symbol,
    decimals: 18,
    description: registration?.description ?? "",
    image: registration?.imageUrl ?? "",
    external_url: registration?.websiteUrl ?? undefined,
    twitter: registration?.twitterUrl ?? undefined,
    telegram: registration?.telegramUrl ?? undefined,
    website: registration?.websiteUrl ?? undefined,
    mint: token.address,
    chainId: token.chainId,
    creator: token.creator,
    registered: registration !== null,
    verified: registration?.verified ?? false,
  };
}
