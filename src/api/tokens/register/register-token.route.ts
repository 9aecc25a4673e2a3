import { chainUnavailable } from "../../chain/chain-client.ts";
import type { Chains } from "../../chain/chains.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { clientIp, clientKey } from "../../http/client-ip.ts";
import { createRouter } from "../../http/router.ts";
import { readEntries } from "../entry/entries.query.ts";
import { toNewEntry } from "../entry/new-entry.mapper.ts";
import { readNewEntryFacts } from "../entry/new-entry-facts.query.ts";
import { toTokenEntry } from "../entry/token-entry.mapper.ts";
import { registerTokenRoute } from "./register-token.routes.ts";
import type { Registered, RegisterToken } from "./register-token.ts";

export type RegisterTokenDeps = {
  chains: Chains;
  db: PooledDatabase;
  registerToken: RegisterToken;
  /** Where clients reach the service. */
  baseUrl: string;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

export function createRegisterTokenRoute({
  chains,
  db,
  registerToken,
  baseUrl,
  trustedHops,
}: RegisterTokenDeps) {
  async function readEntryFor(registration: Registered["registration"], onChain: Registered["onChain"]) {
    const [row] = await readEntries(db, [registration.id]);
    if (row !== undefined) return toTokenEntry(row, baseUrl);
    // A reorg removed the token between the two reads.
    if (onChain === undefined) throw chainUnavailable(registration.chainId, undefined);
    const facts = await readNewEntryFacts(db, registration.chainId, registration.creator);
    return toNewEntry(registration, onChain, facts, baseUrl);
  }

  return createRouter().openapi(registerTokenRoute, async (c) => {
    const { chainId, ...request } = c.req.valid("json");
    const chain = chains.choose(chainId);
    const client = clientKey(clientIp(c, trustedHops));
    const { outcome, registration, onChain } = await registerToken(chain, request, client);
    const entry = await readEntryFor(registration, onChain);
    c.header("Cache-Control", "no-store");
    return outcome === "created" ? c.json(entry, 201) : c.json(entry, 200);
  });
}
