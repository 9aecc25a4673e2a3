import type pg from "pg";
import type { Range } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type Difference, describeDifference } from "./compare-window.ts";
import { writeCoverage } from "./coverage.ts";
import type { WindowEvents } from "./read-window.ts";
import { requestRepair } from "./repair-requests.ts";
import { deleteLogs } from "./stored-events.ts";
import { recordWindow } from "./stored-windows.ts";
import { storeEvents } from "./sync-store.ts";
import { inTransaction } from "./transaction.ts";

/** Blocks of a window that followed ones are counted in together: there is one every few seconds. */
const joinedBlocks = 2_000;

export type StoredWindow = {
  window: Range;
  sources: readonly string[];
  events: WindowEvents;
  /** If Ponder has followed the window before: how what it stored, and what the index was made from, differs. */
  reread?: { difference: Difference | undefined } | undefined;
};

/**
 * Stores the events of a range, how many there are, and its sources' coverage in one transaction, with the request to make the index
 * again if it was made from others.
 */
export async function storeWindow(
  database: pg.Pool,
  chain: Sources,
  { window, sources, events, reread }: StoredWindow,
): Promise<void> {
  const { chainId } = chain;
  await inTransaction(database, async (client) => {
    if (reread?.difference !== undefined) await correct(client, chainId, reread.difference);
    await storeEvents(client, { chainId, ...events });
    await recordWindow(client, chain, window, reread === undefined ? 0 : joinedBlocks);
    for (const source of sources) await writeCoverage(client, chainId, source, window);
  });
}

async function correct(
  client: Pick<pg.ClientBase, "query">,
  chainId: number,
  difference: Difference,
): Promise<void> {
  const { missing, foreign } = difference;
  await deleteLogs(client, chainId, foreign);
  const blocks = [...missing, ...foreign].map(({ blockNumber }) => Number(blockNumber));
  const fromBlock = blocks.reduce((first, block) => Math.min(first, block));
  const reason = `The index was made from other logs than the chain has: ${describeDifference(difference)}.`;
  await requestRepair(client, { chainId, fromBlock, cause: "loss", reason });
}
