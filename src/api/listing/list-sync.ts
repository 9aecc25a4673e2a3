import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { alwaysFresh } from "../lib/always-fresh.ts";
import { type Database, inSnapshot } from "../lib/database.ts";
import { type IndexState, readIndexState, readIndexStateOften } from "../queries/index-state.ts";
import { type ListedRow, listedTokensAfter, listedTokensSince } from "../queries/listed-tokens.ts";
import { ListOrder } from "./list-order.ts";

/** Rows read at a time when the list is read as a whole. */
const chunk = 20_000;

export type Synced = {
  order: ListOrder;
  state: IndexState;
  /** What a reorg may still change, and so is read again each time. */
  volatileIds: number[];
};

/**
 * Keeps a {@link ListOrder} equal to the database. The returned function resolves to the order as of a moment after it was
 * called: what is indexed or registered by then, by whichever process, is in it.
 */
export function syncList(db: NodePgDatabase): () => Promise<Synced> {
  let synced: Synced | undefined;

  return alwaysFresh(async () => {
    const { stamp } = await readIndexStateOften(db);
    if (synced?.state.stamp === stamp) return synced;

    const before = synced;
    const { state, found, isAll } = await inSnapshot(db, async (tx) => {
      const now = await readIndexState(tx);
      const isAll = before === undefined || goesBack(before.state, now);
      // Who reads all is faster without an index.
      if (isAll) await tx.execute(sql`set local enable_seqscan = on`);
      return {
        state: now,
        isAll,
        found: isAll ? await readAll(tx, now) : await readChanges(tx, before, now),
      };
    });
    const order = before === undefined || isAll ? new ListOrder() : before.order;
    order.apply(found, state.registry);
    synced = { order, state, volatileIds: found.flatMap(({ id, isVolatile }) => (isVolatile ? [id] : [])) };
    return synced;
  });
}

async function readAll(tx: Database, { chains }: IndexState): Promise<ListedRow[]> {
  const all: ListedRow[] = [];
  for (;;) {
    const found = await listedTokensAfter(tx, all.at(-1)?.id ?? 0, chunk, chains);
    for (const row of found) all.push(row);
    if (found.length < chunk) return all;
  }
}

async function readChanges(tx: Database, { state, volatileIds }: Synced, now: IndexState) {
  return await listedTokensSince(tx, {
    registry: state.registry,
    before: state.chains,
    now: now.chains,
    volatileIds,
  });
}

/** Whether the database is not the one that it was: indexed anew, or restored. */
function goesBack(before: IndexState, now: IndexState): boolean {
  return (
    now.registry < before.registry ||
    before.chains.some(({ chainId, safe }) => {
      const chain = now.chains.find((candidate) => candidate.chainId === chainId);
      return chain === undefined || chain.safe.block < safe.block;
    })
  );
}
