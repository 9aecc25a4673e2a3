import { pause } from "../concurrency/pause.ts";
import { createSlots } from "../concurrency/slots.ts";
import { busy } from "../http/busy.ts";
import { ClientGoneError } from "../http/hang-up.ts";
import { ProblemException } from "../http/problem.ts";

/** How long a request waits for its block, and the interval of the poll. */
const timeoutMs = 5_000;
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
    const timer = setTimeout(giveUp, timeoutMs);
    signal.addEventListener("abort", giveUp, { once: true });
    waiters.add(waiter);
    void poll();
    const isReached = await reached.promise;
    clearTimeout(timer);
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
    title: "Block not indexed",
    detail: `Block ${block} of chain ${chainId} (minBlock) is not indexed yet: try again in a second. GET /api/health has the last indexed block.`,
    retryAfter: 1,
  });
}
