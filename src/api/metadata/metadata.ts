import type { Chains } from "../chain/chains.ts";
import { unknownToken } from "../chain/unknown-token.ts";
import type { PooledDatabase } from "../database/database.ts";
import { createRouter } from "../http/router.ts";
import { refuseHidden } from "../market/hidden-token.query.ts";
import { toMetadata } from "./metadata.mapper.ts";
import { readMetadata } from "./metadata.query.ts";
import { metadataRoute } from "./metadata.routes.ts";

export function createMetadata({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(metadataRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const [row] = await Promise.all([readMetadata(db, chain.id, mint), refuseHidden(db, chain.id, mint)]);
    if (row === undefined) throw unknownToken(mint, chain.id);
    return c.json(toMetadata(row), 200);
  });
}
