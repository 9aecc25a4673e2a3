import type { Context, MiddlewareHandler } from "hono";
import type { Chains } from "../chain/chains.ts";
import { listPath } from "../concurrency/read-lanes.ts";
import { hangUpSignal } from "../concurrency/share-fairly.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { invalidParameter } from "../http/invalid-parameter.ts";
import { chainId, minBlock } from "../http/parameters.schema.ts";
import { setIndexBlock } from "../http/set-index-block.ts";
import { createBlockWaiters } from "./block-waiters.ts";
import type { IndexWatch } from "./index-watch.ts";
import { graphqlPath, servesChainState } from "./state-paths.ts";

export type IndexBlockDeps = {
  chains: Chains;
  watch: Pick<IndexWatch, "readBlocks">;
  /** The number of trusted proxies in front of the service, for X-Forwarded-For. */
  trustedHops: number;
};

/** How long to wait for the header's block. A slower database must not delay answers that don't need it. */
const timeoutMs = 2_000;

/**
 * Delays a read with `minBlock` until that block is indexed, and adds X-Index-Block: the last block indexed before the read began.
 * The answer may be newer, but never older. Runs before concurrency is limited, so that waiting requests take no slot. The token
 * list knows its own block, and adds the header itself.
 */
export function createIndexBlock({ chains, watch, trustedHops }: IndexBlockDeps): MiddlewareHandler {
  const waitForBlock = createBlockWaiters(watch.readBlocks);
  const readInTime = withTimeout(watch.readBlocks);

  return async (c, next) => {
    const { path } = c.req;
    if (path === graphqlPath) assertParameters(c, chains);
    const chain = servesChainState(path) ? requestedChainId(c, chains) : undefined;
    // The route itself refuses chains that are not indexed, and ids that are not numbers.
    if (chain === undefined) return await next();
    const wanted = c.req.query("minBlock") ?? "";
    if (/^\d{1,10}$/.test(wanted)) {
      const client = clientKey(clientIp(c, trustedHops));
      await waitForBlock({ chainId: chain, block: Number(wanted), client, signal: hangUpSignal(c) });
    }
    if (path !== listPath) setIndexBlock(c, chain, (await readInTime())?.get(chain));
    await next();
  };
}

/** The returned function resolves to undefined if the read fails or times out, and at once while an earlier read is overdue. */
function withTimeout<Answer>(read: () => Promise<Answer>): () => Promise<Answer | undefined> {
  let isSlow = false;
  return async () => {
    if (isSlow) return undefined;
    const reading = read().catch(() => undefined);
    const timeout = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      isSlow = true;
      void reading.then(() => {
        isSlow = false;
      });
      timeout.resolve(undefined);
    }, timeoutMs);
    return await Promise.race([reading, timeout.promise]).finally(() => clearTimeout(timer));
  };
}

/** Throws a problem for a wrong `chainId` or `minBlock`, as REST routes do. GraphQL ignores all other parameters. */
function assertParameters(c: Context, chains: Chains): void {
  for (const [name, schema] of Object.entries({ chainId, minBlock })) {
    const [given, ...others] = c.req.queries(name) ?? [];
    if (others.length > 0) throw invalidParameter(name, "is given more than once: give it once");
    const { error } = schema.safeParse(given);
    if (error !== undefined) throw invalidParameter(name, error.issues[0]?.message ?? "is wrong");
  }
  chains.choose(chainId.parse(c.req.query("chainId")));
}

function requestedChainId(c: Context, chains: Chains): number | undefined {
  const given = c.req.query("chainId");
  const isGiven = ({ id }: { id: number }) => String(id) === given;
  return given === undefined ? chains.choose(undefined).id : chains.all.find(isGiven)?.id;
}
