import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { createSaltPool, PoolBusyError, type SaltPool } from "../../../salt-search/pool.ts";
import { createSaltService } from "../../../salt-search/salt-service.ts";
import { type ChainClients, chainUnavailable } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import type { Database } from "../database/database.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ClientGoneError, ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { vanitySaltRoute, vanitySuffix } from "./vanity-salt.routes.ts";

/** Milliseconds. A search itself takes only some: one that is not done after this waits behind too many others. */
const defaultTimeoutMs = 30_000;

export type VanitySaltDeps = {
  chains: Chains;
  db: Database;
  getClient: ChainClients;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
  pool?: SaltPool;
  /** Default: {@link vanitySuffix}. */
  suffix?: string;
  /** Milliseconds. Default: 30 s. */
  timeoutMs?: number;
};

export function createVanitySalt({
  chains,
  db,
  getClient,
  trustedHops,
  pool = createSaltPool(),
  suffix = vanitySuffix,
  timeoutMs = defaultTimeoutMs,
}: VanitySaltDeps) {
  const service = createSaltService({
    pool,
    tokenFactories: new Map(chains.all.map(({ id, tokenFactory }) => [id, tokenFactory])),
    async readCreationCode(chainId) {
      const chain = chains.choose(chainId);
      return await getClient(chain)
        .readContract({
          address: chain.tokenFactory,
          abi: tokenFactoryAbi,
          functionName: "tokenCreationCode",
        })
        .catch((error: unknown) => {
          throw chainUnavailable(chainId, error);
        });
    },
    isKnown: async (chainId, address) => (await readIndexedToken(db, chainId, address)) !== undefined,
  });

  return createRouter().openapi(vanitySaltRoute, async (c) => {
    const { name, symbol, creator, chainId } = c.req.valid("query");
    const chain = chains.choose(chainId);
    // Started on the first request, while the chain is queried: most processes never get one.
    pool.start();
    const { signal: hangUp } = c.req.raw;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([hangUp, timeout]);
    const client = clientKey(clientIp(c, trustedHops));
    try {
      const result = await service.find({ chainId: chain.id, name, symbol, creator, suffix, signal, client });
      c.header("Cache-Control", "no-store");
      return c.json(result, 200);
    } catch (error) {
      if (hangUp.aborted) throw new ClientGoneError("a search for a salt", { cause: error });
      if (error instanceof PoolBusyError) throw busy(error.retryAfter);
      if (timeout.aborted) throw busy(1);
      throw error;
    }
  });
}

function busy(retryAfter: number): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    detail: `Too many salts are being searched for: try again in ${retryAfter} s.`,
    retryAfter,
  });
}
