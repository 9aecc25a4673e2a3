import { finalityBlocks } from "../../chain-access/pool/anchor.ts";
import { localRpcVariable } from "../../config/process-environment.ts";
import type { Benchmark } from "./benchmark.ts";
import { startChain } from "./chain.ts";
import { watchCommits } from "./database.ts";
import { createMarket } from "./market.ts";
import { onchainSchema, startIndexer } from "./ponder.ts";
import { atFixedTimes } from "./process.ts";

/** The number of tokens on the chain. */
export const liveTokens = 20;
/** Blocks that don't count, while V8 warms up in all processes. */
export const warmUpBlocks = 10;
const jitterMs = 100;

type LiveOptions = {
  /** Milliseconds between blocks. */
  blockTime: number;
  /** Starts what is between the indexer and the node, and returns the URLs that the indexer gets. */
  connect?: (rpcUrl: string) => Promise<string>;
  settings?: Record<string, string>;
  /** Changes the database before the chain is followed. */
  prepare?: ((databaseUrl: string) => Promise<void>) | undefined;
};

/** Starts a chain that grows while a benchmark measures. Resolves once an indexer with a new database follows it. */
export async function followLiveChain(benchmark: Benchmark, options: LiveOptions) {
  const { blockTime, connect, prepare } = options;
  const market = createMarket({ tokens: liveTokens, transactions: liveTokens, accounts: 100 });
  const chain = await startChain(blockTime / 1_000);
  chain.mine(Array.from({ length: liveTokens }, () => market.create()));
  // What there is so far is final.
  chain.mineEmptyBlocks(finalityBlocks + 1);

  const rpcUrl = (await connect?.(chain.rpcUrl)) ?? chain.rpcUrl;
  // The explorer takes one URL.
  const settings = { [localRpcVariable]: chain.rpcUrl, ...options.settings };
  const databaseUrl = await benchmark.createDatabase("bench_live");
  const start = async () => {
    const started = await startIndexer(benchmark, { databaseUrl, rpcUrl, settings });
    await started.untilReady();
    return started;
  };
  let indexer = await start();
  if (prepare !== undefined) {
    await indexer.stop();
    await prepare(databaseUrl);
    indexer = await start();
  }
  const commits = await watchCommits(databaseUrl, onchainSchema);
  const mineTrades = (trades: number) => chain.mine(Array.from({ length: trades }, () => market.buySome()));
  return {
    mints: market.tokens.map(({ address }) => address),
    mineTrades,
    /** Mines blocks at fixed times, but not in step with Ponder's polling. */
    mineSteadily: (blocks: number, trades: number) =>
      atFixedTimes(blocks, blockTime, () => mineTrades(trades), jitterMs),
    mineEmptyBlock: () => chain.mineEmptyBlocks(1),
    databaseUrl,
    indexer,
    commits,
    async stop(): Promise<void> {
      await commits.stop();
      await indexer.stop();
      await chain.stop();
    },
  };
}
