import type { Context, MiddlewareHandler } from "hono";
import { pause, within } from "../../../config/async.ts";
import type { Chains } from "../chain/chains.ts";
import { hangUpSignal, listPath } from "../concurrency/read-lanes.ts";
import { createSlots } from "../concurrency/semaphore.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { setIndexBlock } from "../http/common-headers.ts";
import { chainId, minBlock } from "../http/parameters.schema.ts";
import { busy, ClientGoneError, invalidParameter, ProblemException } from "../http/problem.ts";
import { unknownParameter } from "../http/router.ts";
import type { IndexWatch } from "./index-watch.ts";
import { graphqlPath, servesChainState } from "./ready.ts";

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
    return await within(timeoutMs, reading, () => {
      isSlow = true;
      void reading.then(() => {
        isSlow = false;
      });
      return undefined;
    });
  };
}

/** Throws a problem for a wrong `chainId` or `minBlock` and for an unknown parameter, as REST routes do. */
function assertParameters(c: Context, chains: Chains): void {
  const names = ["chainId", "minBlock"];
  for (const name of Object.keys(c.req.query())) {
    if (!names.includes(name)) throw invalidParameter(name, unknownParameter(name, names).message);
  }
  for (const [name, schema] of Object.entries({ chainId, minBlock })) {
    const [value, ...others] = c.req.queries(name) ?? [];
    if (others.length > 0) throw invalidParameter(name, "is given more than once: give it once");
    const { error } = schema.safeParse(value);
    if (error !== undefined) throw invalidParameter(name, error.issues[0]?.message ?? "is wrong");
  }
  chains.choose(chainId.parse(c.req.query("chainId")));
}

function requestedChainId(c: Context, chains: Chains): number | undefined {
  const chainId = c.req.query("chainId");
  const isGiven = ({ id }: { id: number }) => String(id) === chainId;
  return chainId === undefined ? chains.choose(undefined).id : chains.all.find(isGiven)?.id;
}

/** How long a request waits for its block, and the interval of the poll. */
const waitMs = 5_000;
const pollIntervalMs = 100;
/** Requests that may wait at a time: in total and per client. */
const maxWaiting = { all: 1_000, ofClient: 50 };

export type BlockWait = { chainId: number; block: number; client: string; signal: AbortSignal };

type Waiter = { chainId: number; block: number; wake: () => void };

/**
 * Lets requests wait until a block is indexed. They share one poll, which runs only while requests are waiting; a waiting request
 * holds no database connection.
 *
 * @param readBlocks reads the last indexed block of each chain
 */
export function createBlockWaiters(readBlocks: () => Promise<ReadonlyMap<number, number>>) {
  const waiters = new Set<Waiter>();
  let isPolling = false;
  const slots = createSlots({
    max: maxWaiting.all,
    maxPerOwner: maxWaiting.ofClient,
    stallMs: Number.POSITIVE_INFINITY,
    refuse: () => busy("requests with minBlock"),
  });

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiters.size > 0) {
      await pause(pollIntervalMs);
      const blocks = await readBlocks().catch(() => undefined);
      for (const waiter of waiters) {
        if ((blocks?.get(waiter.chainId) ?? -1) >= waiter.block) waiter.wake();
      }
    }
    isPolling = false;
  }

  /** Resolves once the block is indexed. Throws a 503 problem if that takes too long, or a ClientGoneError once `signal` is aborted. */
  return async function waitForBlock({ chainId, block, client, signal }: BlockWait): Promise<void> {
    const at = (await readBlocks()).get(chainId) ?? -1;
    if (at >= block) return;
    if (signal.aborted) throw new ClientGoneError();
    const slot = slots.take(client, () => {});
    const reached = Promise.withResolvers<boolean>();
    const waiter = { chainId, block, wake: () => reached.resolve(true) };
    const giveUp = () => reached.resolve(false);
    signal.addEventListener("abort", giveUp, { once: true });
    waiters.add(waiter);
    void poll();
    const isReached = await within(waitMs, reached.promise, () => false);
    signal.removeEventListener("abort", giveUp);
    waiters.delete(waiter);
    slot.release();
    if (signal.aborted) throw new ClientGoneError();
    if (!isReached) throw blockNotIndexed(chainId, block);
  };
}

function blockNotIndexed(chainId: number, block: number): ProblemException {
  return new ProblemException({
    status: 503,
    code: "block_not_indexed",
    detail: `Block ${block} of chain ${chainId} (minBlock) is not indexed yet: try again in a second. GET /api/health has the last indexed block.`,
    retryAfter: 1,
  });
}
