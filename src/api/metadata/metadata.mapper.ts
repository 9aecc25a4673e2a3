import type { MetadataRow } from "./metadata.query.ts";
import type { Metadata } from "./metadata.routes.ts";

/** Maps a token to metadata, under the names that wallets and explorers expect. A field without a value is left out. */
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
