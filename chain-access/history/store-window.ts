import type pg from "pg";
import type { Range } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { writeCoverage } from "./coverage.ts";
import type { WindowEvents } from "./read-window.ts";
import { recordWindow } from "./stored-windows.ts";
import { storeEvents } from "./sync-store.ts";

/** Stores the events of a range, how many there are, and its sources' coverage in one transaction. */
export async function storeWindow(
  database: pg.Pool,
  chain: Sources,
  { window, sources, events }: { window: Range; sources: readonly string[]; events: WindowEvents },
): Promise<void> {
  const { chainId } = chain;
  const client = await database.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin");
    await storeEvents(client, { chainId, ...events });
    await recordWindow(client, chain, window);
    for (const source of sources) await writeCoverage(client, chainId, source, window);
    await client.query("commit");
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection whose transaction may still be open is closed.
    client.release(failure);
  }
}
