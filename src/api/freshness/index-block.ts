import type { Context, MiddlewareHandler } from "hono";
import type { Chains } from "../chain/chains.ts";
import { takesTurn } from "../concurrency/read-lanes.ts";
import { hangUpOf } from "../concurrency/share-fairly.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { createBlockWaiters } from "./block-waiters.ts";
import type { IndexWatch } from "./index-watch.ts";

export type IndexBlockDeps = {
  chains: Chains;
  watch: Pick<IndexWatch, "readBlocks">;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Delays a read with `minBlock` until that block is indexed. Comes before the turns, so that nobody waits in one. */
export function createMinBlock({ chains, watch, trustedHops }: IndexBlockDeps): MiddlewareHandler {
  const untilIndexed = createBlockWaiters(watch.readBlocks);

  return async (c, next) => {
    const block = c.req.query("minBlock") ?? "";
    const chainId = chainOf(c, chains);
    // The route refuses what is no number, and a chain that is not indexed.
    if (takesTurn(c.req.path) && chainId !== undefined && /^\d{1,10}$/.test(block)) {
      const client = clientKey(clientIp(c, trustedHops));
      await untilIndexed({ chainId, block: Number(block), client, gone: hangUpOf(c) });
    }
    await next();
  };
}

/**
 * Adds X-Index-Block: the last block that was indexed before the read began. What the answer has may be newer, and not older.
 */
export function createIndexBlock({ chains, watch }: IndexBlockDeps): MiddlewareHandler {
  return async (c, next) => {
    const chainId = takesTurn(c.req.path) ? chainOf(c, chains) : undefined;
    if (chainId !== undefined) {
      // Without a database the route says so, if it needs one.
      const blocks = await watch.readBlocks().catch(() => undefined);
      const block = blocks?.get(chainId);
      if (block !== undefined) c.header("X-Index-Block", `${chainId}:${block}`);
    }
    await next();
  };
}

function chainOf(c: Context, chains: Chains): number | undefined {
  const given = c.req.query("chainId");
  const isGiven = ({ id }: { id: number }) => String(id) === given;
  return given === undefined ? chains.choose(undefined).id : chains.all.find(isGiven)?.id;
}
