import type { Chains } from "../../lib/chains.ts";
import type { Database } from "../../lib/database.ts";
import { etagOf, jsonWithEtag } from "../../lib/etag.ts";
import { createRouter } from "../../lib/router.ts";
import { unknownToken } from "../../lib/unknown-token.ts";
import { toMetadata } from "../../mappers/metadata.ts";
import { readMetadata } from "../../queries/metadata.ts";
import { metadataRoute } from "./metadata.routes.ts";

export function createMetadata({ chains, db }: { chains: Chains; db: Database }) {
  return createRouter().openapi(metadataRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const row = await readMetadata(db, chain.id, mint);
    if (row === undefined) throw unknownToken(mint, chain.id);
    const body = JSON.stringify(toMetadata(row));
    // Short, since a registration may still come or be replaced by one that the creator signed.
    return jsonWithEtag(c, body, etagOf(body), "public, max-age=30, stale-while-revalidate=300") as never;
  });
}
