import type { Context, MiddlewareHandler } from "hono";
import type { Chains } from "../chain/chains.ts";
import { listPath } from "../concurrency/read-lanes.ts";
import { hangUpOf } from "../concurrency/share-fairly.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { invalidParameter } from "../http/invalid-parameter.ts";
import { chainId, minBlock } from "../http/parameters.schema.ts";
import { setIndexBlock } from "../http/set-index-block.ts";
import { createBlockWaiters } from "./block-waiters.ts";
import type { IndexWatch } from "./index-watch.ts";
import { answersState, graphqlPath } from "./state-paths.ts";

export type IndexBlockDeps = {
  chains: Chains;
  watch: Pick<IndexWatch, "readBlocks">;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Milliseconds to wait for the header's block. A database that takes longer must not delay what needs none. */
const patienceMs = 2_000;

/**
 * Delays a read with `minBlock` until that block is indexed, and adds X-Index-Block: the last block that was indexed before
 * the read began. What the answer has may be newer, and not older. Comes before the turns, so that nobody waits in one. The
 * list knows its block, and adds the header itself.
 */
export function createIndexBlock({ chains, watch, trustedHops }: IndexBlockDeps): MiddlewareHandler {
  const untilIndexed = createBlockWaiters(watch.readBlocks);
  const readInTime = inTime(watch.readBlocks);

  return async (c, next) => {
    const { path } = c.req;
    if (path === graphqlPath) refuseInvalid(c, chains);
    const chain = answersState(path) ? chainOf(c, chains) : undefined;
    // The route refuses a chain that is not indexed, and what is no number.
    if (chain === undefined) return await next();
    const wanted = c.req.query("minBlock") ?? "";
    if (/^\d{1,10}$/.test(wanted)) {
      const client = clientKey(clientIp(c, trustedHops));
      await untilIndexed({ chainId: chain, block: Number(wanted), client, gone: hangUpOf(c) });
    }
    if (path !== listPath) setIndexBlock(c, chain, (await readInTime())?.get(chain));
    await next();
  };
}

/** Resolves to undefined where the read fails or takes too long, and at once while it is known to take too long. */
function inTime<Answer>(read: () => Promise<Answer>): () => Promise<Answer | undefined> {
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
    }, patienceMs);
    return await Promise.race([reading, timeout.promise]).finally(() => clearTimeout(timer));
  };
}

/** Throws a problem where a parameter is wrong, as the routes of REST do. GraphQL ignores all others. */
function refuseInvalid(c: Context, chains: Chains): void {
  for (const [name, schema] of Object.entries({ chainId, minBlock })) {
    const [given, ...others] = c.req.queries(name) ?? [];
    if (others.length > 0) throw invalidParameter(name, "is given more than once: give it once");
    const { error } = schema.safeParse(given);
    if (error !== undefined) throw invalidParameter(name, error.issues[0]?.message ?? "is wrong");
  }
  chains.choose(chainId.parse(c.req.query("chainId")));
}

function chainOf(c: Context, chains: Chains): number | undefined {
  const given = c.req.query("chainId");
  const isGiven = ({ id }: { id: number }) => String(id) === given;
  return given === undefined ? chains.choose(undefined).id : chains.all.find(isGiven)?.id;
}
