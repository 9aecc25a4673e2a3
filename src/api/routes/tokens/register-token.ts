import { chainUnavailable } from "../../lib/chain-client.ts";
import type { Chains } from "../../lib/chains.ts";
import type { PooledDatabase } from "../../lib/database.ts";
import { createRouter } from "../../lib/router.ts";
import { toNewEntry } from "../../mappers/new-entry.ts";
import { toTokenEntry } from "../../mappers/token-entry.ts";
import { readEntries } from "../../queries/entries.ts";
import type { RegisterToken } from "../../services/register-token/register-token.ts";
import { registerTokenRoute } from "./register-token.routes.ts";

export type RegisterTokenParts = { chains: Chains; db: PooledDatabase; registerToken: RegisterToken };

export function createRegisterTokenRoute({ chains, db, registerToken }: RegisterTokenParts) {
  return createRouter().openapi(registerTokenRoute, async (c) => {
    const { chainId, ...request } = c.req.valid("json");
    const chain = chains.choose(chainId);
    const { outcome, registration, onChain } = await registerToken(chain, request);
    const [row] = await readEntries(db, [registration.id]);
    // Without a row a reorg took the token between two questions.
    const entry = row === undefined ? onChain && toNewEntry(registration, onChain) : toTokenEntry(row);
    if (entry === undefined) throw chainUnavailable(chain.id, undefined);
    c.header("Cache-Control", "no-store");
    return c.json(entry, outcome === "created" ? 201 : 200) as never;
  });
}
