import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { eventTopics } from "../../chain-access/sources/events.ts";
import { childEnvironment } from "../../config/env.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import type { Processes } from "../index/processes.ts";
import type { RunOptions } from "./run-ponder.ts";
import { readTraffic, type Sample } from "./sample.ts";

const folder = fileURLToPath(new URL("./subsquid/", import.meta.url));
/** The number of blocks at the head that aren't final. */
const finalityBlocks = 30;

/** Installs the locked packages that only this benchmark needs. Takes a second if they are installed already. */
export function installSubsquid(): void {
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", options, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** Inserts the chain's events into a new database with Subsquid's processor, without processing them. */
export async function runSubsquid(processes: Processes, options: RunOptions): Promise<Sample> {
  const { chain, endpoint, serverUrl, name, limit } = options;
  const { tokenFactory, launchpad, startBlock } = chain.deployment;
  const databaseUrl = await createDatabase(serverUrl, name);
  const range = { from: startBlock, to: chain.head - finalityBlocks };
  const settings = {
    rpcUrl: endpoint.url,
    // Infinity, for no limit, becomes null in JSON.
    requestsPerSecond: endpoint.settings().requestsPerSecond,
    databaseUrl,
    range,
    topics: eventTopics,
    tokenFactory: tokenFactory.toLowerCase(),
    launchpad: launchpad.toLowerCase(),
  };

  const startedAt = Date.now();
  let begunAt: number | undefined;
  let height = startBlock - 1;
  const child = processes.start(process.execPath, ["processor.cjs", JSON.stringify(settings)], {
    cwd: folder,
    // Port 0 lets its metrics use any free port.
    env: childEnvironment({ PROCESSOR_PROMETHEUS_PORT: "0", SQD_LOG: "warn" }),
    onLine(line) {
      if (!line.startsWith('{"height"')) return;
      begunAt ??= Date.now();
      height = (JSON.parse(line) as { height: number }).height;
    },
  });
  const until = startedAt + limit * 1_000;
  while (height < range.to && Date.now() < until) {
    await processes.assertAlive(child, "Subsquid's processor");
    await delay(20);
  }
  const [endedAt, servedAt = startedAt] = [Date.now(), begunAt];
  const asked = readTraffic(endpoint);
  await child.stop();
  await dropDatabase(serverUrl, name);
  return {
    asked,
    share: (height - startBlock + 1) / (range.to - startBlock + 1),
    seconds: (endedAt - servedAt) / 1_000,
    startUp: (servedAt - startedAt) / 1_000,
  };
}
