import type { Chains } from "../../chain/chains.ts";
import { unknownToken } from "../../chain/unknown-token.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { createRouter } from "../../http/router.ts";
import { readEntry } from "./entries.query.ts";
import { tokenRoute } from "./token.routes.ts";
import { toTokenEntry } from "./token-entry.mapper.ts";

export function createToken({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(tokenRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const row = await readEntry(db, chain.id, mint);
    if (row === undefined) throw unknownToken(mint, chain.id);
    return c.json(toTokenEntry(row), 200);
  });
}
