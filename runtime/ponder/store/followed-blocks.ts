import { storeEvents } from "../../../chain-access/history/store-window.ts";
import type { Log } from "../../../chain-access/sources/log.ts";
import type { Transactions } from "./commits.ts";
import type { QueryBuilder } from "./ponder-types.ts";

/*
 * Stores followed blocks that have become final, as history is stored. Ponder's own inserts have a parameter for each value, and the
 * next block waits for them: thirty blocks with fifty events each held it up for half a second.
 */

/** A followed block with its events. Numbers are hexadecimal. */
type FollowedBlock = { block: { number: string; timestamp: string }; logs: Log[] };

export async function storeFollowed(
  tx: QueryBuilder,
  chainId: number,
  blocks: readonly FollowedBlock[],
): Promise<void> {
  const logs = blocks.flatMap((block) => block.logs);
  const timestamps = new Map(blocks.map(({ block }) => [Number(block.number), Number(block.timestamp)]));
  await tx.wrap({ label: "store_followed" }, () => storeEvents(tx.$client, { chainId, logs, timestamps }));
}

/** By chain, the transaction that was begun last. */
const running = new Map<number, Promise<unknown>>();

/**
 * Returns a query builder whose transactions wait only for the one before of the chain, so that no block waits for what has become
 * final. What a crash prevents is read from the chain again. If one fails, no later one is stored: Ponder ends the process, for a
 * rejection that nothing handles or, at the latest, for the next transaction.
 */
export function oneAfterTheOther(chainId: number, qb: Transactions): Pick<Transactions, "transaction"> {
  return {
    async transaction(...args) {
      const previous = running.get(chainId);
      running.delete(chainId);
      await previous;
      running.set(chainId, qb.transaction(...args));
    },
  };
}
