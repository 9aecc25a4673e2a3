import { pause } from "../concurrency/pause.ts";
import { createSlots } from "../concurrency/slots.ts";
import { busy } from "../http/busy.ts";
import { ClientGoneError } from "../http/hang-up.ts";
import { ProblemException } from "../http/problem.ts";

/** Milliseconds to wait for a block, and between two looks while anyone waits. */
const patienceMs = 5_000;
const intervalMs = 100;
/** Requests that wait, in all and of one client. */
const most = { all: 1_000, ofClient: 50 };

export type BlockWait = { chainId: number; block: number; client: string; gone: AbortSignal };

type Waiter = { chainId: number; block: number; wake: () => void };

/**
 * Lets requests wait until a block is indexed. All of them share one poll, which runs only while anyone waits; a request that
 * waits holds no connection.
 *
 * @param readBlocks reads the last indexed block of each chain
 */
export function createBlockWaiters(readBlocks: () => Promise<ReadonlyMap<number, number>>) {
  const waiters = new Set<Waiter>();
  let isPolling = false;
  const slots = createSlots({
    most: most.all,
    mostPerOwner: most.ofClient,
    patienceMs: Number.POSITIVE_INFINITY,
    refuse: () => busy("requests with minBlock"),
  });

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiters.size > 0) {
      await pause(intervalMs);
      const blocks = await readBlocks().catch(() => undefined);
      for (const waiter of waiters) {
        if ((blocks?.get(waiter.chainId) ?? -1) >= waiter.block) waiter.wake();
      }
    }
    isPolling = false;
  }

  /** Resolves once the block is indexed. Throws a problem (503) when that takes too long. */
  return async function untilIndexed({ chainId, block, client, gone }: BlockWait): Promise<void> {
    const at = (await readBlocks()).get(chainId) ?? -1;
    if (at >= block) return;
    if (gone.aborted) throw new ClientGoneError();
    const slot = slots.take(client, () => {});
    const reached = Promise.withResolvers<boolean>();
    const waiter = { chainId, block, wake: () => reached.resolve(true) };
    const giveUp = () => reached.resolve(false);
    const timer = setTimeout(giveUp, patienceMs);
    gone.addEventListener("abort", giveUp, { once: true });
    waiters.add(waiter);
    void poll();
    const isReached = await reached.promise;
    clearTimeout(timer);
    gone.removeEventListener("abort", giveUp);
    waiters.delete(waiter);
    slot.release();
    if (gone.aborted) throw new ClientGoneError();
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
