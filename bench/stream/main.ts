import { within } from "../../config/async.ts";
import { runBenchmark } from "../shared/benchmark.ts";
import { followLiveChain, warmUpBlocks } from "../shared/live.ts";
import { whole } from "../shared/options.ts";
import { startWorker } from "../shared/process.ts";
import { count, formatSummaries, met, summarize } from "../shared/report.ts";
import type { Arrivals, ClientsJob } from "./clients.ts";

/* Measures how late the events of a block arrive at the clients of the stream. Times are in milliseconds. */

/** The target for the median with 1,000 clients. */
const aim = 250;
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
  const { mineSteadily, indexer, commits } = await followLiveChain(benchmark, { blockTime });
  const job: ClientsJob = { port: indexer.port, clients, events: (warmUpBlocks + blocks) * trades };
  const worker = startWorker<Arrivals>(benchmark, new URL("clients.ts", import.meta.url), job);
  await worker.next();
  const mined = await mineSteadily(warmUpBlocks + blocks, trades);
  const arrivals = await within(maxWaitMs, worker.next());
  if (arrivals === undefined) throw new Error("the clients did not get everything");
  const measured = mined.slice(warmUpBlocks);
  const arrived = measured.flatMap(({ block, at }) => {
    const committedAt = commits.committedAt.get(block);
    if (committedAt === undefined)
      throw new Error(`there was no notification of block ${block}: increase --block-time`);
    return (arrivals[block] ?? []).map((time) => ({ mined: time - at, committed: time - committedAt }));
  });
  const delays = {
    "block mined to Ponder's tables": summarize(commits.delaysOf(measured)),
    "Ponder's tables to client": summarize(arrived.map(({ committed }) => committed)),
    "block mined to client": summarize(arrived.map(({ mined }) => mined)),
  };
  const isMet = delays["Ponder's tables to client"].median < aim;
  return {
    lines: [
      `${count(clients)} clients, ${count(blocks)} blocks of ${count(trades)} trades: ${count(arrived.length)} arrivals`,
      "",
      ...formatSummaries(delays),
      "",
      `median beyond Ponder below ${aim} ms: ${clients < 1_000 ? "too few clients to tell" : met(isMet)}`,
    ],
    data: { delays },
  };
});
