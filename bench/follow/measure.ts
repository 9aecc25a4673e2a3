import { setTimeout as delay } from "node:timers/promises";
import { numberToHex } from "viem";
import { finalityBlocks } from "../../chain-access/gate/heads.ts";
import { localRpcVariable } from "../../config/env.ts";
import type { EmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { ours } from "../index/apps.ts";
import { startNode } from "../index/chain/node.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import { startIndexer } from "../index/indexer.ts";
import type { Processes } from "../index/processes.ts";
import { watchCommits } from "../stream/commits.ts";
import { openMarket } from "../stream/market.ts";
import { addTokens } from "./add-tokens.ts";
import { type BenchmarkOptions, tradedTokens } from "./options.ts";
import { type Setup, type SetupName, setups } from "./setups.ts";

export type Sample = {
  setup: SetupName;
  round: number;
  /** Seconds from the first block to the last. */
  seconds: number;
  /** HTTP requests to all endpoints. */
  requests: number;
  /** JSON-RPC requests to all endpoints; each request of a batch counts. */
  elements: number;
  /** Of these, filters without an address. */
  unfiltered: number;
  /** Bytes of requests, and of answers and pushed messages, as plain text and as sent. */
  bytesIn: number;
  bytesOut: number;
  gzipOut: number;
  /** Milliseconds of processor time of the indexer, without Postgres. */
  processorMs: number;
  /** For each block with a trade, the milliseconds from mining until it was in Ponder's tables. */
  delays: number[];
};

type Block = { block: number; minedAt: number };

const schema = "follow";
/** Blocks that don't count, while V8 warms up in all processes. */
const warmUpBlocks = 20;
/** How long to wait for the last block to be indexed. */
const settleMs = 5_000;

/** Measures an indexer that follows a steadily growing chain. */
export async function measure(
  processes: Processes,
  serverUrl: string,
  { name, round, options }: { name: SetupName; round: number; options: BenchmarkOptions },
): Promise<Sample> {
  const { blocks, blockTime, tradeEvery, foreignLogs, tokens } = options;
  const { start, urls, settings }: Setup = setups[name];
  const node = await startNode(processes, []);
  const market = await openMarket(node);
  // What there is so far is final.
  await node.rpc([["anvil_mine", [numberToHex(finalityBlocks + 1)]]]);
  const endpoints = await start({ upstream: node.rpcUrl, foreignLogs });
  const database = `follow_${name}_${round}`;
  const databaseUrl = await createDatabase(serverUrl, database);
  const startReady = async () => {
    const indexer = await startIndexer(processes, ours, {
      databaseUrl,
      schema,
      rpcUrl: urls(endpoints).join(","),
      deployment: market.deployment,
      // The explorer takes one URL.
      settings: { POLLING_INTERVAL_56: "1000", [localRpcVariable]: node.rpcUrl, ...settings },
    });
    await indexer.untilReady();
    return indexer;
  };
  let indexer = await startReady();
  if (tokens > tradedTokens) {
    await indexer.stop();
    await addTokens(databaseUrl, market.deployment, tokens - tradedTokens);
    indexer = await startReady();
  }
  const commits = await watchCommits(databaseUrl, schema);

  /** Mines blocks at fixed times, however long mining one takes. */
  async function grow(count: number): Promise<Block[]> {
    const startedAt = performance.now();
    const mined: Block[] = [];
    for (let index = 0; index < count; index++) {
      await delay(Math.max(0, startedAt + index * blockTime - performance.now()));
      const hasTrade = index % tradeEvery === 0;
      const block = await market.mine(hasTrade ? 1 : 0);
      if (hasTrade) mined.push(block);
    }
    return mined;
  }

  await grow(warmUpBlocks);
  for (const { counts } of endpoints) counts.reset();
  const startedAt = performance.now();
  const processorBefore = await indexer.processorMs();
  const mined = await grow(blocks);
  const seconds = (performance.now() - startedAt) / 1_000;
  const asked = sumTraffic(endpoints);
  const processorMs = (await indexer.processorMs()) - processorBefore;
  await untilCommitted(commits.committedAt, mined.at(-1)?.block ?? 0);

  await commits.stop();
  await indexer.stop();
  for (const endpoint of endpoints) await endpoint.stop();
  await node.process.stop();
  await dropDatabase(serverUrl, database);
  return {
    setup: name,
    round,
    seconds,
    ...asked,
    processorMs,
    delays: computeDelays(mined, commits.committedAt),
  };
}

function sumTraffic(endpoints: EmulatedEndpoint[]) {
  const totals = endpoints.map(({ counts }) => counts.total());
  const sum = (name: keyof (typeof totals)[number]) =>
    totals.reduce((total, counts) => total + counts[name], 0);
  return {
    requests: sum("requests"),
    elements: sum("elements"),
    unfiltered: sum("unfiltered"),
    bytesIn: sum("bytesIn"),
    bytesOut: sum("bytesOut"),
    gzipOut: sum("gzipOut"),
  };
}

async function untilCommitted(committedAt: ReadonlyMap<number, number>, block: number): Promise<void> {
  const until = performance.now() + settleMs;
  while (Math.max(0, ...committedAt.keys()) < block && performance.now() < until) await delay(50);
}

/** A block without a notification of its own was committed with the next one that has one. */
function computeDelays(mined: Block[], committedAt: ReadonlyMap<number, number>): number[] {
  const commits = [...committedAt].toSorted(([a], [b]) => a - b);
  return mined.flatMap(({ block, minedAt }) => {
    const commit = commits.find(([committed]) => committed >= block);
    return commit === undefined ? [] : [commit[1] - minedAt];
  });
}
