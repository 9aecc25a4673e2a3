import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/not-found.ts";
import type { PooledDatabase } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { refuseHidden } from "../market/hidden-token.query.ts";
import { type MetadataRow, readMetadata } from "./metadata.query.ts";
import { type Metadata, metadataRoute } from "./metadata.routes.ts";

export function createMetadata({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(metadataRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const [row] = await Promise.all([readMetadata(db, chain.id, mint), refuseHidden(db, chain.id, mint)]);
    if (row === undefined) throw unknownToken(mint, chain.id);
    return c.json(toMetadata(row), 200);
  });
}

/** Maps a token to metadata, under the names that wallets and explorers expect. A field without a value is left out. */
function toMetadata({ token, registration }: MetadataRow): Metadata {
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
