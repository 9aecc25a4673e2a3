import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { LaunchpadDeployment } from "../contracts/deploy.ts";

const address = z.custom<`0x${string}`>(
  (value) => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value),
);

const deployment = z.object({
  tokenFactory: address,
  launchpad: address,
  dexFactory: address,
  router: address,
  wbnb: address,
  startBlock: z.number().int(),
  /** The proxy of the BNB/USD feed. Chains that the first version created have none. */
  priceFeed: address.optional(),
});

/** The contracts on the local chain. */
export type LocalDeployment = LaunchpadDeployment & { priceFeed: `0x${string}` };

/** The files that keep the local chain between starts. */
export type ChainFiles = { folder: string; state: string; deployment: string };

function chainFiles(dataDir: string): ChainFiles {
  const folder = path.join(dataDir, "chain");
  return { folder, state: path.join(folder, "state.json"), deployment: path.join(folder, "deployment.json") };
}

/** Creates the folder of the local chain. Throws the file system's error. */
export async function prepareChainFiles(dataDir: string): Promise<ChainFiles> {
  const files = chainFiles(dataDir);
  await mkdir(files.folder, { recursive: true });
  return files;
}

/** Reads the deployment of the chain of another process, which may not have saved its blocks yet. Undefined: there is none. */
export async function findDeployment(dataDir: string): Promise<LaunchpadDeployment | undefined> {
  try {
    return deployment.parse(JSON.parse(await readFile(chainFiles(dataDir).deployment, "utf8")));
  } catch {
    return undefined;
  }
}

/**
 * Reads the deployment of a complete chain. If the chain is incomplete or lost, deletes its files and returns undefined, so
 * that it is created again.
 */
export async function readDeployment(
  files: ChainFiles,
): Promise<(LaunchpadDeployment & Partial<LocalDeployment>) | undefined> {
  try {
    // If the node was killed before it first saved its state, the chain is lost.
    await access(files.state);
    return deployment.parse(JSON.parse(await readFile(files.deployment, "utf8")));
  } catch {
    await rm(files.state, { force: true });
    await rm(files.deployment, { force: true });
    return undefined;
  }
}

/** Writes the deployment, which marks the chain as complete. */
export async function writeDeployment(files: ChainFiles, made: LocalDeployment): Promise<void> {
  const unfinished = `${files.deployment}.new`;
  await writeFile(unfinished, `${JSON.stringify(made, null, 2)}\n`);
  await rename(unfinished, files.deployment);
}
