import { setTimeout as delay } from "node:timers/promises";
import { runBenchmark } from "../shared/benchmark.ts";
import { createDatabase, watchCommits } from "../shared/database.ts";
import { ours, startIndexer } from "../shared/indexer.ts";
import { type MinedBlock, openLiveMarket } from "../shared/live-market.ts";
import { startNode } from "../shared/node.ts";
import { whole } from "../shared/options.ts";
import { startWorker } from "../shared/process.ts";
import { count, met, summarize, table } from "../shared/report.ts";
import type { Arrivals, ClientsJob, ClientsMessage } from "./clients.ts";

/* Measures how late the events of a block arrive at the clients of the stream. Times are in milliseconds. */

/** The target for the median with 1,000 clients. */
const aim = 250;
const schema = "bench";
/** Blocks that don't count, while V8 warms up in all processes. */
const warmUpBlocks = 10;
/** How long the last events may take. */
const maxWaitMs = 60_000;

const flags = {
  clients: whole(1_000),
  blocks: whole(60),
  trades: whole(10),
  blockTime: whole(1_000),
};

await runBenchmark(flags, async ({ clients, blocks, trades, blockTime }, benchmark) => {
  benchmark.log(`Measuring: ${clients} clients, ${blocks} blocks of ${trades} trades`);
  const { adminUrl } = await benchmark.startPostgres();
  const node = await startNode(benchmark);
  const { deployment, mine } = await openLiveMarket(node);
  const databaseUrl = await createDatabase(adminUrl, "bench_stream");
  const { rpcUrl } = node;
  const indexer = await startIndexer(benchmark, ours, { databaseUrl, schema, rpcUrl, deployment });
  await indexer.untilReady();

  let isConnected = false;
  let arrivals: Arrivals | undefined;
  const job: ClientsJob = { port: indexer.port, clients, events: (warmUpBlocks + blocks) * trades };
  const worker = startWorker<ClientsMessage>(benchmark, new URL("clients.ts", import.meta.url), {
    job,
    onMessage(message) {
      isConnected = true;
      if ("arrivals" in message) arrivals = message.arrivals;
    },
  });
  await worker.until(() => isConnected);
  const commits = await watchCommits(databaseUrl, schema);
  const mined: MinedBlock[] = [];
  while (mined.length < warmUpBlocks + blocks) {
    mined.push(await mine(trades));
    // Random, so that blocks aren't in step with Ponder's polling.
    await delay(blockTime + 100 * Math.random());
  }
  const isDone = await Promise.race([worker.untilDone().then(() => true), delay(maxWaitMs, false)]);
  if (!isDone || arrivals === undefined) throw new Error("the clients did not get everything");
  await commits.stop();

  const [ofPonder, sinceCommitted, sinceMined]: [number[], number[], number[]] = [[], [], []];
  for (const { block, at } of mined.slice(warmUpBlocks)) {
    const committedAt = commits.committedAt.get(block);
    if (committedAt === undefined)
      throw new Error(`there was no notification of block ${block}: increase --block-time`);
    ofPonder.push(committedAt - at);
    for (const arrivedAt of arrivals[block] ?? []) {
      sinceMined.push(arrivedAt - at);
      sinceCommitted.push(arrivedAt - committedAt);
    }
  }
  const delays = {
    "block mined to Ponder's tables": summarize(ofPonder),
    "Ponder's tables to client": summarize(sinceCommitted),
    "block mined to client": summarize(sinceMined),
  };
  const isMet = delays["Ponder's tables to client"].median < aim;
  return {
    lines: [
      `${count(clients)} clients, ${count(blocks)} blocks of ${count(trades)} trades: ${count(sinceMined.length)} arrivals`,
      "",
      ...table([
        ["milliseconds", "median", "p90", "p99", "max"],
        ...Object.entries(delays).map(([name, { median, p90, p99, max }]) => [
          name,
          ...[median, p90, p99, max].map((value) => value.toFixed(1)),
        ]),
      ]),
      "",
      `median beyond Ponder below ${aim} ms: ${clients < 1_000 ? "too few clients to tell" : met(isMet)}`,
    ],
    data: { delays },
  };
});
