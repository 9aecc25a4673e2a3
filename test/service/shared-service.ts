import { writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../../runtime/checks/host.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { type Service, startService } from "./service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type SharedService = Awaited<ReturnType<typeof start>>;

let started: Promise<SharedService> | undefined;

/**
 * A chain and a service that the test files of a worker share. Only for files that create their own tokens and leave the service as
 * they found it. Both end with the worker.
 */
export async function sharedService(): Promise<SharedService> {
  started ??= start().catch((error: unknown) => {
    // Lets the next file try again.
    started = undefined;
    throw error;
  });
  const shared = await started;
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  return shared;
}

async function start() {
  const chain: Omit<LaunchpadChain, "stop" | "crash"> = await startLaunchpadChain();
  const metricsPort = await freePort();
  const { folder } = await temporaryFolder();
  const denyList = path.join(folder, "deny.txt");
  await writeFile(denyList, "");
  const service: Omit<Service, "stop"> = await startService([chain as LaunchpadChain], {
    env: { METRICS_PORT: String(metricsPort), DATA_DIR: folder, MODERATION_FILE: denyList },
  });
  await service.indexer.untilReady();
  return { chain, service, metricsPort, denyList, dataDir: folder };
}
