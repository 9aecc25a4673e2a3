import { finalityBlocks } from "../../chain-access/gate/heads.ts";
import { localRpcVariable } from "../../config/process-environment.ts";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { createDatabase, dropDatabase, watchCommits } from "../shared/database.ts";
import { ours, startIndexer } from "../shared/indexer.ts";
import { liveTokens, type MinedBlock, openLiveMarket } from "../shared/live-market.ts";
import { startNode } from "../shared/node.ts";
import { type Options, oneOf, someOf, whole } from "../shared/options.ts";
import { atFixedTimes } from "../shared/process.ts";
import { count, median, met, quantile, table } from "../shared/report.ts";
import { addTokens } from "./add-tokens.ts";

/* Measures what an indexer that follows a steadily growing chain requests from its endpoints, and how late it is. */

const schema = "follow";
const latencyMs = 60;
const lag = 6;
/** Blocks that don't count, while V8 warms up in all processes. */
const warmUpBlocks = 20;
/** How long the last block may take to be indexed. */
const settleMs = 5_000;
const secondsOfDay = 86_400;
/** The maximum ratio of the median delay with a lagging endpoint to that with the good one only. */
const aim = 1.2;

const good = { gzip: true, latencyMs };

/** The endpoints that are compared, and the settings that use them. */
const setups = {
  polling: { description: "one endpoint, polled", endpoints: [good] },
  strict: {
    description: "one that needs addresses",
    // BNB Chain's own endpoints, and some others, take no filter without an address, or at most 1,000.
    endpoints: [{ ...good, needsAddress: true, addresses: 1_000 }],
  },
  lagging: { description: `with one ${lag} blocks behind`, endpoints: [good, { ...good, lag }] },
  websocket: { description: "one endpoint, WebSocket", endpoints: [good], pushes: true },
  ponder: { description: "Ponder's own, polled", endpoints: [good], settings: { SYNC_56: "ponder" } },
} as const;

type SetupName = keyof typeof setups;

/** What contracts other than ours emit in each block. BNB Smart Chain has some 400 logs a block. */
const densities = { none: 0, bsc: 400 };

const flags = {
  only: someOf(Object.keys(setups) as SetupName[]),
  blocks: whole(200),
  blockTime: whole(450),
  /** One in this many blocks has a trade. */
  tradeEvery: whole(2),
  tokens: whole(liveTokens, liveTokens),
  density: oneOf(["none", "bsc"], "none"),
  rounds: whole(1),
};

type Sample = Awaited<ReturnType<typeof measure>>;

await runBenchmark(flags, async (options, benchmark) => {
  const { only, rounds, blocks, blockTime, tradeEvery, tokens, density } = options;
  const { adminUrl } = await benchmark.startPostgres();
  const samples: Sample[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const name of only) {
      benchmark.log(`round ${round}: ${setups[name].description}`);
      samples.push(await measure(benchmark, adminUrl, name, options));
    }
  }

  const rows = only.map((name) => summarizeSetup(name, samples, blocks));
  const delayOf = (name: SetupName) => rows.find((row) => row.name === name)?.median ?? Number.NaN;
  const ratio = delayOf("lagging") / delayOf("polling");
  return {
    lines: [
      `${blocks} blocks, one every ${blockTime} ms, every ${tradeEvery}. with a trade; endpoints answer after ${latencyMs} ms`,
      `${count(tokens)} tokens; ${densities[density]} logs of other contracts a block`,
      "",
      ...table([
        ["", "requests a day", "MB a day", "delay, ms", "p90"],
        ...rows.map(({ name, requestsADay, bytesADay, median, p90 }) => [
          setups[name].description,
          ...[requestsADay, bytesADay / 1e6, median, p90].map(count),
        ]),
      ]),
      "",
      ...table([
        [
          ...["per block", "HTTP requests", "elements", "no address"],
          ...["kB sent", "kB received", "kB gzip", "processor, ms"],
        ],
        ...rows.map(({ name, perBlock }) => [
          setups[name].description,
          ...[perBlock.requests, perBlock.elements, perBlock.unfiltered].map((value) => value.toFixed(2)),
          ...[perBlock.bytesIn, perBlock.bytesOut, perBlock.gzipOut].map((bytes) => (bytes / 1e3).toFixed(1)),
          perBlock.processorMs.toFixed(0),
        ]),
      ]),
      ...(Number.isNaN(ratio)
        ? []
        : ["", `delay with one that lags: ${ratio.toFixed(2)} times, aim ${aim}: ${met(ratio <= aim)}`]),
    ],
    data: { rows, samples },
  };
});

/** Measures an indexer that follows a steadily growing chain. */
async function measure(
  benchmark: Benchmark,
  serverUrl: string,
  name: SetupName,
  { blocks, blockTime, tradeEvery, density, tokens }: Options<typeof flags>,
) {
  const setup: { endpoints: readonly object[]; pushes?: boolean; settings?: Record<string, string> } =
    setups[name];
  const node = await startNode(benchmark);
  const { deployment, mine } = await openLiveMarket(node);
  // What there is so far is final.
  await node.mineEmptyBlocks(finalityBlocks + 1);
  const foreignLogs = densities[density];
  const endpoints = await Promise.all(
    setup.endpoints.map((settings) =>
      startEmulatedEndpoint({ upstream: node.rpcUrl, foreignLogs, ...settings }),
    ),
  );
  const urls = endpoints.flatMap(({ url, wsUrl }) => (setup.pushes ? [url, wsUrl] : [url]));
  const databaseUrl = await createDatabase(serverUrl, schema);
  const startReady = async () => {
    const indexer = await startIndexer(benchmark, ours, {
      databaseUrl,
      schema,
      rpcUrl: urls.join(","),
      deployment,
      // The explorer takes one URL.
      settings: { POLLING_INTERVAL_56: "1000", [localRpcVariable]: node.rpcUrl, ...setup.settings },
    });
    await indexer.untilReady();
    return indexer;
  };
  let indexer = await startReady();
  if (tokens > liveTokens) {
    await indexer.stop();
    await addTokens(databaseUrl, deployment, tokens - liveTokens);
    indexer = await startReady();
  }
  const commits = await watchCommits(databaseUrl, schema);

  async function grow(times: number): Promise<MinedBlock[]> {
    const withTrade: MinedBlock[] = [];
    await atFixedTimes(times, blockTime, async (index) => {
      const hasTrade = index % tradeEvery === 0;
      const block = await mine(hasTrade ? 1 : 0);
      if (hasTrade) withTrade.push(block);
    });
    return withTrade;
  }
  await grow(warmUpBlocks);
  for (const { counts } of endpoints) counts.reset();
  const startedAt = performance.now();
  const processorBefore = await indexer.readProcessorMs();
  const mined = await grow(blocks);
  const seconds = (performance.now() - startedAt) / 1_000;
  const traffic = sumTraffic(endpoints);
  const processorMs = (await indexer.readProcessorMs()) - processorBefore;
  await commits.untilCommitted(mined.at(-1)?.block ?? 0, settleMs);

  await commits.stop();
  await indexer.stop();
  for (const endpoint of endpoints) await endpoint.stop();
  await node.stop();
  await dropDatabase(serverUrl, schema);
  return { setup: name, seconds, traffic: { ...traffic, processorMs }, delays: commits.delaysOf(mined) };
}

/** Requests, the JSON-RPC requests in them, those of these without an address, and bytes as plain text and as sent. */
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

/** The medians of a setup's rounds, per block and, for requests and bytes, per day; delays in milliseconds. */
function summarizeSetup(name: SetupName, samples: Sample[], blocks: number) {
  const own = samples.filter(({ setup }) => setup === name);
  const middle = (value: (sample: Sample) => number) => median(own.map(value));
  const perDay = (value: (sample: Sample) => number) =>
    middle((sample) => (value(sample) / sample.seconds) * secondsOfDay);
  const perBlock = (key: keyof Sample["traffic"]) => middle(({ traffic }) => traffic[key] / blocks);
  return {
    name,
    requestsADay: perDay(({ traffic }) => traffic.elements),
    bytesADay: perDay(({ traffic }) => traffic.bytesIn + traffic.bytesOut),
    perBlock: {
      requests: perBlock("requests"),
      elements: perBlock("elements"),
      unfiltered: perBlock("unfiltered"),
      bytesIn: perBlock("bytesIn"),
      bytesOut: perBlock("bytesOut"),
      gzipOut: perBlock("gzipOut"),
      processorMs: perBlock("processorMs"),
    },
    median: middle(({ delays }) => quantile(delays, 0.5)),
    p90: middle(({ delays }) => quantile(delays, 0.9)),
  };
}
