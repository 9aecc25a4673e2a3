import type { Context, MiddlewareHandler } from "hono";
import type { Chains } from "../chain/chains.ts";
import { listPath, readsIndex } from "../concurrency/read-lanes.ts";
import { hangUpOf } from "../concurrency/share-fairly.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { setIndexBlock } from "../http/index-block-header.ts";
import { createBlockWaiters } from "./block-waiters.ts";
import type { IndexWatch } from "./index-watch.ts";

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
    const chainId = readsIndex(c.req.path) ? chainOf(c, chains) : undefined;
    // The route refuses a chain that is not indexed, and what is no number.
    if (chainId === undefined) return await next();
    const minBlock = c.req.query("minBlock") ?? "";
    if (/^\d{1,10}$/.test(minBlock)) {
      const client = clientKey(clientIp(c, trustedHops));
      await untilIndexed({ chainId, block: Number(minBlock), client, gone: hangUpOf(c) });
    }
    if (c.req.path !== listPath) setIndexBlock(c, chainId, (await readInTime())?.get(chainId));
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

function chainOf(c: Context, chains: Chains): number | undefined {
  const given = c.req.query("chainId");
  const isGiven = ({ id }: { id: number }) => String(id) === given;
  return given === undefined ? chains.choose(undefined).id : chains.all.find(isGiven)?.id;
}
