import { localRpcVariable } from "../../config/process-environment.ts";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import type { PublishedBlock } from "../shared/chain.ts";
import { liveTokens, startFollower, startLiveChain } from "../shared/live.ts";
import { type Options, oneOf, someOf, whole } from "../shared/options.ts";
import { atFixedTimes } from "../shared/process.ts";
import { count, median, met, quantile, tableOf } from "../shared/report.ts";
import { addTokens } from "./add-tokens.ts";

/* Measures what an indexer that follows a steadily growing chain requests from its endpoints, and how late it is. */

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

type Setup = {
  description: string;
  endpoints: object[];
  pushes?: boolean;
  settings?: Record<string, string>;
};

/** The endpoints that are compared, and the settings that use them. */
const setups = {
  polling: { description: "one endpoint, polled", endpoints: [good] },
  // BNB Chain's own endpoints, and some others, take no filter without an address, or at most 1,000.
  strict: {
    description: "one that needs addresses",
    endpoints: [{ ...good, needsAddress: true, addresses: 1_000 }],
  },
  lagging: { description: `with one ${lag} blocks behind`, endpoints: [good, { ...good, lag }] },
  websocket: { description: "one endpoint, WebSocket", endpoints: [good], pushes: true },
  ponder: { description: "Ponder's own, polled", endpoints: [good], settings: { SYNC_56: "ponder" } },
} satisfies Record<string, Setup>;

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

  const rows = only.map((name) => {
    const own = samples.filter(({ setup }) => setup === name);
    const middle = (value: (sample: Sample) => number) => median(own.map(value));
    const perDay = (value: (traffic: Sample["traffic"]) => number) =>
      middle(({ traffic, seconds }) => (value(traffic) / seconds) * secondsOfDay);
    const perBlock = (key: keyof Sample["traffic"]) => middle(({ traffic }) => traffic[key] / blocks);
    return {
      name,
      requestsADay: perDay(({ elements }) => elements),
      megabytesADay: perDay(({ bytesIn, bytesOut }) => (bytesIn + bytesOut) / 1e6),
      delay: middle(({ delays }) => median(delays)),
      p90: middle(({ delays }) => quantile(delays, 0.9)),
      perBlock: {
        "HTTP requests": perBlock("requests").toFixed(2),
        elements: perBlock("elements").toFixed(2),
        "no address": perBlock("unfiltered").toFixed(2),
        "kB sent": (perBlock("bytesIn") / 1e3).toFixed(1),
        "kB received": (perBlock("bytesOut") / 1e3).toFixed(1),
        "kB gzip": (perBlock("gzipOut") / 1e3).toFixed(1),
        "processor, ms": perBlock("processorMs").toFixed(0),
      },
    };
  });
  const delayOf = (name: SetupName) => rows.find((row) => row.name === name)?.delay ?? Number.NaN;
  const ratio = delayOf("lagging") / delayOf("polling");
  return {
    lines: [
      `${blocks} blocks, one every ${blockTime} ms, every ${tradeEvery}. with a trade; endpoints answer after ${latencyMs} ms`,
      `${count(tokens)} tokens; ${densities[density]} logs of other contracts a block`,
      "",
      ...tableOf(
        rows.map(({ name, requestsADay, megabytesADay, delay, p90 }) => ({
          "": setups[name].description,
          "requests a day": count(requestsADay),
          "MB a day": count(megabytesADay),
          "delay, ms": count(delay),
          p90: count(p90),
        })),
      ),
      "",
      ...tableOf(rows.map(({ name, perBlock }) => ({ "per block": setups[name].description, ...perBlock }))),
      ...(Number.isNaN(ratio)
        ? []
        : ["", `delay with one that lags: ${ratio.toFixed(2)} times, aim ${aim}: ${met(ratio <= aim)}`]),
    ],
    data: { rows, samples },
  };
});

type Sample = Awaited<ReturnType<typeof measure>>;

/** Measures an indexer that follows a steadily growing chain. */
async function measure(
  benchmark: Benchmark,
  serverUrl: string,
  setup: SetupName,
  { blocks, blockTime, tradeEvery, density, tokens }: Options<typeof flags>,
) {
  const { endpoints: kinds, pushes = false, settings = {} }: Setup = setups[setup];
  const chain = await startLiveChain(blockTime);
  const behind = { upstream: chain.rpcUrl, foreignLogs: densities[density] };
  const endpoints = await Promise.all(kinds.map((kind) => startEmulatedEndpoint({ ...behind, ...kind })));
  const { indexer, commits, stop } = await startFollower(benchmark, serverUrl, {
    rpcUrl: endpoints.flatMap(({ url, wsUrl }) => (pushes ? [url, wsUrl] : [url])).join(","),
    // The explorer takes one URL.
    settings: { POLLING_INTERVAL_56: "1000", [localRpcVariable]: chain.rpcUrl, ...settings },
    prepare: tokens > liveTokens ? (databaseUrl) => addTokens(databaseUrl, tokens - liveTokens) : undefined,
  });

  async function grow(times: number): Promise<PublishedBlock[]> {
    const withTrade: PublishedBlock[] = [];
    await atFixedTimes(times, blockTime, (index) => {
      if (index % tradeEvery === 0) withTrade.push(chain.mineTrades(1));
      else chain.mineEmptyBlocks(1);
    });
    return withTrade;
  }
  await grow(warmUpBlocks);
  for (const { counts } of endpoints) counts.reset();
  const startedAt = performance.now();
  const processorBefore = await indexer.readProcessorMs();
  const mined = await grow(blocks);
  const seconds = (performance.now() - startedAt) / 1_000;
  const processorMs = (await indexer.readProcessorMs()) - processorBefore;
  const traffic = { ...sumTraffic(endpoints), processorMs };
  await commits.untilCommitted(mined.at(-1)?.block ?? 0, settleMs);
  await stop();
  for (const endpoint of endpoints) await endpoint.stop();
  await chain.stop();
  return { setup, seconds, traffic, delays: commits.delaysOf(mined) };
}

/** Requests, the JSON-RPC requests in them, those of these without an address, and bytes as plain text and as sent. */
function sumTraffic(endpoints: EmulatedEndpoint[]) {
  const sum = { requests: 0, elements: 0, unfiltered: 0, bytesIn: 0, bytesOut: 0, gzipOut: 0 };
  for (const { counts } of endpoints) {
    const total = counts.total();
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += total[name];
  }
  return sum;
}
