import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Hex } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { showProgress } from "../../runtime/progress.ts";
import { readSettings } from "../../runtime/settings.ts";
import { type Benchmark, fingerprint } from "./benchmark.ts";
import { type PlannedBlock, startNode } from "./node.ts";
import { openSimulatedMarket } from "./simulated-market.ts";

export type ChainSize = {
  tokens: number;
  trades: number;
  /** Default: 250. */
  transactionsPerBlock?: number;
};

type BuiltChain = {
  deployment: LaunchpadDeployment;
  /** The number of the last block, a few empty blocks after the last trade. */
  head: number;
  tokens: number;
  trades: number;
  transactions: number;
  /** The blocks that are mined when the chain is followed live. */
  live: PlannedBlock[];
};

/** A chain with a simulated market, in a file that anvil loads. */
export type CachedChain = BuiltChain & { stateFile: string };

/** The files that decide what is on the chain: the contracts and their deployment, and the code that creates transactions. */
const fingerprintedFiles = [
  "../../contracts/artifacts/TokenFactory.json",
  "../../contracts/deploy.ts",
  "../../local/market/actions.ts",
  "../../local/market/names.ts",
  "../../local/market/random.ts",
  "../../local/market/view.ts",
  "cached-chain.ts",
  "node.ts",
  "simulated-market.ts",
];

const liveCreations = 10;
const liveBlocks = 20;
/** For Ponder a block is final after 30 more; a backfill ends at the last final block. */
const finalityBlocks = 40;

/** The chain of this size. It is built at the first use, and again when one of the files above has changed. */
export async function cachedChain(benchmark: Benchmark, size: ChainSize): Promise<CachedChain> {
  const { log, onExit } = benchmark;
  const home = path.resolve(readSettings(log).dataDir, "bench");
  const { tokens, trades, transactionsPerBlock } = size;
  const perBlock = transactionsPerBlock === undefined ? "" : `x${transactionsPerBlock}`;
  const prefix = `chain-${tokens}-${trades}${perBlock}-`;
  const folder = path.join(home, prefix + (await fingerprint(import.meta.url, fingerprintedFiles)));
  const stateFile = path.join(folder, "state.json");
  const described = await readFile(path.join(folder, "chain.json"), "utf8").catch(() => undefined);
  if (described !== undefined) return { ...(JSON.parse(described) as BuiltChain), stateFile };

  const unfinished = `${folder}.new`;
  const discard = () => rm(unfinished, { recursive: true, force: true });
  // An anvil that is stopped halfway still writes its state.
  onExit(discard);
  await discard();
  await mkdir(unfinished, { recursive: true });
  const chain = await buildChain(benchmark, size, path.join(unfinished, "state.json"));
  await writeFile(path.join(unfinished, "chain.json"), `${JSON.stringify(chain)}\n`);
  // Chains of earlier fingerprints are large and no longer used.
  for (const old of await readdir(home)) {
    if (old.startsWith(prefix) && !old.endsWith(".new")) await rm(path.join(home, old), { recursive: true });
  }
  await rename(unfinished, folder);
  log(`Kept in ${folder}`);
  return { ...chain, stateFile };
}

/** Builds the chain block by block, writes it to the state file, and plans the live blocks. */
async function buildChain(
  benchmark: Benchmark,
  { tokens, trades, transactionsPerBlock = 250 }: ChainSize,
  stateFile: string,
): Promise<BuiltChain> {
  const progress = showProgress(`Making a chain of ${tokens} tokens and ${trades} trades`, benchmark.log);
  const node = await startNode(benchmark, ["--dump-state", stateFile]);
  const deployment = await node.deploy();
  const traders = Math.max(100, Math.ceil(trades / 20));
  const market = await openSimulatedMarket(node, deployment, { traders, transactionsPerBlock });
  const { total } = market;

  const firstTokens = Math.min(tokens, 20);
  await market.nextBlock(firstTokens);
  while (total.trades < trades || total.created < tokens) {
    // Create tokens in proportion to the trades so far, so that both totals are reached together.
    const due = firstTokens + (tokens - firstTokens) * Math.min(1, total.trades / (0.98 * trades));
    await market.nextBlock(Math.min(Math.ceil(due) - total.created, transactionsPerBlock));
    progress.update(Math.min(total.trades, trades), trades);
  }
  progress.end();
  await market.mineEmptyBlocks(finalityBlocks);
  const made = { tokens: total.created, trades: total.trades, transactions: total.transactions };

  const head = await node.readHead();
  const [snapshot] = await node.rpc<[Hex]>([["evm_snapshot"]]);
  const live: PlannedBlock[] = [];
  while (live.length < liveBlocks) live.push(await market.nextBlock(liveCreations));
  await node.rpc([["evm_revert", [snapshot]]]);
  await node.stop();
  return { deployment, head, ...made, live };
}
