import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Hex } from "../../chain-access/sources/log.ts";
import { childEnvironment } from "../../config/env.ts";
import { migrateSyncTables } from "../../test/run/ponder-sync.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import type { Processes } from "../index/processes.ts";
import type { FetchSettings } from "./fetch-events.ts";
import type { RunOptions } from "./run-ponder.ts";
import { readTraffic, type Sample } from "./sample.ts";

const script = fileURLToPath(new URL("fetch-events.ts", import.meta.url));
/** The number of blocks at the head that aren't final. */
const finalityBlocks = 30;

/** Reads the chain's events into a new database with our chain access, without Ponder. */
export async function runFetching(processes: Processes, options: RunOptions): Promise<Sample> {
  const { chain, endpoint, serverUrl, name, limit } = options;
  const { tokenFactory, launchpad, startBlock } = chain.deployment;
  const databaseUrl = await createDatabase(serverUrl, name);
  await migrateSyncTables(databaseUrl);
  const firstBlock = Number(startBlock);
  const settings: FetchSettings = {
    databaseUrl,
    rpcUrl: endpoint.url,
    to: chain.head - finalityBlocks,
    sources: {
      chainId: 56,
      tokenFactory: tokenFactory.toLowerCase() as Hex,
      launchpad: launchpad.toLowerCase() as Hex,
      priceFeeds: [],
      startBlock: firstBlock,
      feedStartBlock: firstBlock,
    },
  };

  const startedAt = Date.now();
  let begunAt: number | undefined;
  let doneAt: number | undefined;
  const child = processes.start(process.execPath, [script, JSON.stringify(settings)], {
    env: childEnvironment({}),
    onLine(line) {
      if (line === "begun") begunAt = Date.now();
      if (line === "done") doneAt = Date.now();
    },
  });
  while (doneAt === undefined && Date.now() < startedAt + limit * 1_000) {
    await processes.assertAlive(child, "the process that fetches events");
    await delay(20);
  }
  const [endedAt, servedAt] = [doneAt ?? Date.now(), begunAt ?? startedAt];
  const asked = readTraffic(endpoint);
  const blocks = await countCovered(databaseUrl);
  await child.stop();
  await dropDatabase(serverUrl, name);
  return {
    asked,
    share: doneAt === undefined ? blocks / (settings.to - firstBlock + 1) : 1,
    seconds: (endedAt - servedAt) / 1_000,
    startUp: (servedAt - startedAt) / 1_000,
  };
}

async function countCovered(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ blocks: number }>(
    `select coalesce(sum(upper(range) - lower(range)), 0)::int as blocks
     from offchain.chain_coverage, unnest(blocks) range`,
  );
  await client.end();
  return rows[0]?.blocks ?? 0;
}
