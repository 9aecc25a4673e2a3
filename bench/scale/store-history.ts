import pg from "pg";
import { coveredSources } from "../../chain-access/history/coverage.ts";
import { storeWindow } from "../../chain-access/history/store-window.ts";
import { createWindowsTable } from "../../chain-access/history/stored-windows.ts";
import type { Log } from "../../chain-access/sources/log.ts";
import type { Sources } from "../../chain-access/sources/sources.ts";
import { migrateSyncTables } from "../../test/run/ponder-sync.ts";
import { type Block, startBlock } from "./chain.ts";

/** Events that are stored in one transaction, as a window of a fast sync has. */
const eventsPerWindow = 20_000;

/** Stores blocks as read, the way a sync does. They must be in order. Resolves to the number of their events. */
export async function storeHistory(
  databaseUrl: string,
  sources: Sources,
  blocks: Iterable<Block>,
  onProgress: (events: number) => void,
): Promise<number> {
  await migrateSyncTables(databaseUrl);
  const database = new pg.Pool({ connectionString: databaseUrl, options: "-c synchronous_commit=off" });
  await createWindowsTable(database);
  const names = coveredSources(sources).map(({ name }) => name);
  let [logs, from, stored]: [Log[], number, number] = [[], startBlock, 0];

  async function store(to: number): Promise<void> {
    const events = { logs, timestamps: new Map<number, number>() };
    await storeWindow(database, sources, { window: { from, to }, sources: names, events });
    stored += logs.length;
    onProgress(stored);
    [logs, from] = [[], to + 1];
  }

  let last = startBlock;
  for (const block of blocks) {
    logs.push(...block.logs);
    last = block.number;
    if (logs.length >= eventsPerWindow) await store(last);
  }
  if (logs.length > 0) await store(last);
  await database.end();
  return stored;
}
