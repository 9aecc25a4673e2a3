import { finalityBlocks } from "../../chain-access/pool/anchor.ts";
import type { Benchmark } from "./benchmark.ts";
import { deployment, startChain } from "./chain.ts";
import { createDatabase, dropDatabase, watchCommits } from "./database.ts";
import { ours, startIndexer } from "./indexer.ts";
import { createMarket } from "./market.ts";

/* A chain that grows while a benchmark measures, and an indexer that follows it. */

/** The number of tokens on the chain. */
export const liveTokens = 20;

/** Starts a node whose blocks have as many trades of as many tokens as a benchmark says. */
export async function startLiveChain(blockMs: number) {
  const market = createMarket({ tokens: liveTokens, transactions: liveTokens, accounts: 100 });
  const chain = await startChain(blockMs / 1_000);
  chain.mine(Array.from({ length: liveTokens }, () => market.create()));
  // What there is so far is final.
  chain.mineEmptyBlocks(finalityBlocks + 1);
  return {
    ...chain,
    mints: market.tokens.map(({ address }) => address),
    mineTrades: (trades: number) => chain.mine(Array.from({ length: trades }, () => market.buySome())),
  };
}

type FollowerOptions = {
  rpcUrl: string;
  settings?: Record<string, string>;
  /** Changes the database before the chain is followed. */
  prepare?: ((databaseUrl: string) => Promise<void>) | undefined;
};

/** Starts an indexer on a new database, and resolves once it follows the chain. */
export async function startFollower(
  benchmark: Benchmark,
  serverUrl: string,
  { rpcUrl, settings = {}, prepare }: FollowerOptions,
) {
  const [name, schema] = ["bench_live", "live"];
  const databaseUrl = await createDatabase(serverUrl, name);
  const start = async () => {
    const indexer = await startIndexer(benchmark, ours, {
      databaseUrl,
      schema,
      rpcUrl,
      deployment,
      settings,
    });
    await indexer.untilReady();
    return indexer;
  };
  let indexer = await start();
  if (prepare !== undefined) {
    await indexer.stop();
    await prepare(databaseUrl);
    indexer = await start();
  }
  const commits = await watchCommits(databaseUrl, schema);
  return {
    databaseUrl,
    indexer,
    url: `http://127.0.0.1:${indexer.port}`,
    commits,
    async stop(): Promise<void> {
      await commits.stop();
      await indexer.stop();
      await dropDatabase(serverUrl, name);
    },
  };
}
