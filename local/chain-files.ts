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
  /** The proxy of the BNB/USD feed. Chains that the first version made have none. */
  priceFeed: address.optional(),
});

/** The contracts on the local chain. */
export type LocalDeployment = LaunchpadDeployment & { priceFeed: `0x${string}` };

/** Where the local chain is kept between two starts. */
export type ChainFiles = { folder: string; state: string; deployment: string };

/** Creates the folder of the local chain. Throws the file system's error. */
export async function prepareChainFiles(dataDir: string): Promise<ChainFiles> {
  const folder = path.join(dataDir, "chain");
  await mkdir(folder, { recursive: true });
  return { folder, state: path.join(folder, "state.json"), deployment: path.join(folder, "deployment.json") };
}

/**
 * The deployment of a complete chain, or undefined. A chain that is incomplete or lost is deleted, to be created again.
 */
export async function readDeployment(
  files: ChainFiles,
): Promise<(LaunchpadDeployment & Partial<LocalDeployment>) | undefined> {
  try {
    // A node that was killed before it first saved its state lost the chain.
    await access(files.state);
    return deployment.parse(JSON.parse(await readFile(files.deployment, "utf8")));
  } catch {
    await rm(files.state, { force: true });
    await rm(files.deployment, { force: true });
    return undefined;
  }
}

/** Marks the chain as complete. */
export async function writeDeployment(files: ChainFiles, made: LocalDeployment): Promise<void> {
  const unfinished = `${files.deployment}.new`;
  await writeFile(unfinished, `${JSON.stringify(made, null, 2)}\n`);
  await rename(unfinished, files.deployment);
}
