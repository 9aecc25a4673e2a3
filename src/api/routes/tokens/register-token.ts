import { chainUnavailable } from "../../lib/chain-client.ts";
import type { Chains } from "../../lib/chains.ts";
import { clientIp, clientKey } from "../../lib/client-ip.ts";
import type { PooledDatabase } from "../../lib/database.ts";
import { createRouter } from "../../lib/router.ts";
import { toNewEntry } from "../../mappers/new-entry.ts";
import { toTokenEntry } from "../../mappers/token-entry.ts";
import { readEntries } from "../../queries/entries.ts";
import { readNewEntryFacts } from "../../queries/new-entry-facts.ts";
import type { Registered, RegisterToken } from "../../services/register-token/register-token.ts";
import { registerTokenRoute } from "./register-token.routes.ts";

export type RegisterTokenParts = {
  chains: Chains;
  db: PooledDatabase;
  registerToken: RegisterToken;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

export function createRegisterTokenRoute({ chains, db, registerToken, trustedHops }: RegisterTokenParts) {
  async function entryOf(registration: Registered["registration"], onChain: Registered["onChain"]) {
    const [row] = await readEntries(db, [registration.id]);
    if (row !== undefined) return toTokenEntry(row);
    // A reorg took the token between two questions.
    if (onChain === undefined) throw chainUnavailable(registration.chainId, undefined);
    const facts = await readNewEntryFacts(db, registration.chainId, registration.creator);
    return toNewEntry(registration, onChain, facts);
  }

  return createRouter().openapi(registerTokenRoute, async (c) => {
    const { chainId, ...request } = c.req.valid("json");
    const chain = chains.choose(chainId);
    const client = clientKey(clientIp(c, trustedHops));
    const { outcome, registration, onChain } = await registerToken(chain, request, client);
    const entry = await entryOf(registration, onChain);
    c.header("Cache-Control", "no-store");
    return c.json(entry, outcome === "created" ? 201 : 200) as never;
  });
}
