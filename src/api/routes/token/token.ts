import type { Chains } from "../../lib/chains.ts";
import type { PooledDatabase } from "../../lib/database.ts";
import { freshJson } from "../../lib/etag.ts";
import { createRouter } from "../../lib/router.ts";
import { unknownToken } from "../../lib/unknown-token.ts";
import { toTokenEntry } from "../../mappers/token-entry.ts";
import { readEntry } from "../../queries/entries.ts";
import { tokenRoute } from "./token.routes.ts";

export function createToken({ chains, db }: { chains: Chains; db: PooledDatabase }) {
  return createRouter().openapi(tokenRoute, async (c) => {
    const { mint } = c.req.valid("param");
    const chain = chains.choose(c.req.valid("query").chainId);
    const row = await readEntry(db, chain.id, mint);
    if (row === undefined) throw unknownToken(mint, chain.id);
    return freshJson(c, toTokenEntry(row));
  });
}
