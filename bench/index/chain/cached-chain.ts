import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { showProgress } from "../../../runtime/progress.ts";
import type { Processes } from "../processes.ts";
import { type BuiltChain, buildChain, type ChainSize } from "./build-chain.ts";

export type CachedChain = BuiltChain & { stateFile: string };

/** The files that decide what is on the chain: the contracts and their deployment, and the code that creates transactions. */
const fingerprintedFiles = [
  "../../../contracts/artifacts/TokenFactory.json",
  "../../../contracts/deploy.ts",
  "../../../local/market/actions.ts",
  "../../../local/market/names.ts",
  "../../../local/market/random.ts",
  "../../../local/market/view.ts",
  "build-chain.ts",
  "crowd.ts",
  "market.ts",
  "node.ts",
];

type Options = ChainSize & {
  dataDir: string;
  log(line: string): void;
  /** Registers a callback to run after every process has ended. */
  onExit(callback: () => Promise<void>): void;
};

/** The chain of this size. It is built at the first use, and again when one of the files above has changed. */
export async function cachedChain(
  processes: Processes,
  { dataDir, log, onExit, ...size }: Options,
): Promise<CachedChain> {
  const home = path.resolve(dataDir, "bench");
  const { tokens, trades, transactionsPerBlock } = size;
  const perBlock = transactionsPerBlock === undefined ? "" : `x${transactionsPerBlock}`;
  const prefix = `chain-${tokens}-${trades}${perBlock}-`;
  const folder = path.join(home, prefix + (await fingerprint()));
  const stateFile = path.join(folder, "state.json");
  const described = await readFile(path.join(folder, "chain.json"), "utf8").catch(() => undefined);
  if (described !== undefined) return { ...(JSON.parse(described) as BuiltChain), stateFile };

  const unfinished = `${folder}.new`;
  const discard = () => rm(unfinished, { recursive: true, force: true });
  // An anvil that is stopped halfway still writes its state.
  onExit(discard);
  await discard();
  await mkdir(unfinished, { recursive: true });
  const progress = showProgress(`Making a chain of ${tokens} tokens and ${trades} trades`, log);
  const chain = await buildChain(processes, {
    ...size,
    stateFile: path.join(unfinished, "state.json"),
    onProgress: progress.update,
  }).finally(progress.end);
  await writeFile(path.join(unfinished, "chain.json"), `${JSON.stringify(chain)}\n`);
  // Chains of earlier fingerprints are large and no longer used.
  for (const old of await readdir(home)) {
    if (old.startsWith(prefix) && !old.endsWith(".new")) await rm(path.join(home, old), { recursive: true });
  }
  await rename(unfinished, folder);
  log(`Kept in ${folder}`);
  return { ...chain, stateFile };
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of fingerprintedFiles) {
    hash.update(await readFile(fileURLToPath(new URL(file, import.meta.url))));
  }
  return hash.digest("hex").slice(0, 12);
}
