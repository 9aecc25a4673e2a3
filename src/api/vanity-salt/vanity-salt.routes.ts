import { createRoute, z } from "@hono/zod-openapi";
import { zeroAddress } from "viem";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { createSaltPool, PoolBusyError, type SaltPool } from "../../../salt-search/pool.ts";
import { createSaltService } from "../../../salt-search/salt-service.ts";
import { type ChainClients, chainUnavailable } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import type { Database } from "../database/database.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { address, chainId } from "../http/parameters.schema.ts";
import { chainProblems, problems } from "../http/problem.schema.ts";
import { ClientGoneError, ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { readIndexedToken } from "../tokens/entry/entries.query.ts";
import { tokenName, tokenSymbol } from "./factory-text.schema.ts";

/** The suffix of every token address that a salt gives. */
const vanitySuffix = "5afe";

export const vanitySaltRoute = createRoute({
  method: "get",
  path: "/api/tokens/vanity-salt",
  operationId: "getVanitySalt",
  tags: ["Tokens"],
  summary: `A salt for createTokenWithSalt whose token address ends in ${vanitySuffix}.`,
  description:
    "The address depends on name, symbol and salt, so create the token with exactly these. Every request gets a different salt, which works until a token is created with it. With creator, the salt begins with that address, and the factory refuses it from anyone else; without, whoever sees your transaction waiting can create the token first.",
  request: {
    query: z.object({
      name: tokenName,
      symbol: tokenSymbol,
      creator: address
        .refine(
          (value) => value !== zeroAddress,
          "must not be the zero address: leave it out for any creator",
        )
        .optional()
        .openapi({
          description:
            "The account that will create the token: the salt is bound to it. A factory from before bound salts accepts it from anyone.",
        }),
      chainId,
    }),
  },
  responses: {
    200: {
      description: "The salt, and the resulting address.",
      content: {
        "application/json": {
          schema: z
            .object({
              salt: z.string().regex(/^0x[0-9a-f]{64}$/),
              address: z.string().regex(/^0x[0-9a-f]{36}5afe$/),
            })
            .openapi("VanitySalt"),
        },
      },
    },
    ...problems({
      ...chainProblems,
      503: "Too many searches are waiting, or the chain or the database is unavailable.",
    }),
  },
});

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
