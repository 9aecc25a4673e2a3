import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { followLiveChain, liveTokens } from "../shared/live.ts";
import { type Options, oneOf, someOf, whole } from "../shared/options.ts";
import { atFixedTimes } from "../shared/process.ts";
import { count, median, met, quantile, tableOf } from "../shared/report.ts";
import { measureInTurn } from "../shared/rounds.ts";
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

type Sample = Awaited<ReturnType<typeof measure>>;

await runBenchmark(flags, async (options, benchmark) => {
  const { only, rounds, blocks, blockTime, tradeEvery, tokens, density } = options;
  const compared = await measureInTurn(only, rounds, (name, round) => {
    benchmark.log(`round ${round}: ${setups[name].description}`);
    return measure(benchmark, name, options);
  });
  const delayOf = (name: SetupName) => compared.median(name, ({ delays }) => median(delays));
  const daily = only.map((name) => {
    const perDay = (value: (sample: Sample) => number) =>
      count(compared.median(name, (sample) => (value(sample) / sample.seconds) * secondsOfDay));
    return {
      "": setups[name].description,
      "requests a day": perDay(({ elements }) => elements),
      "MB a day": perDay(({ bytesIn, bytesOut }) => (bytesIn + bytesOut) / 1e6),
      "delay, ms": count(delayOf(name)),
      p90: count(compared.median(name, ({ delays }) => quantile(delays, 0.9))),
    };
  });
  const byBlock = only.map((name) => {
    const perBlock = (value: (sample: Sample) => number, decimals: number) =>
      (compared.median(name, value) / blocks).toFixed(decimals);
    return {
      "per block": setups[name].description,
      "HTTP requests": perBlock(({ requests }) => requests, 2),
      elements: perBlock(({ elements }) => elements, 2),
      "no address": perBlock(({ unfiltered }) => unfiltered, 2),
      "kB sent": perBlock(({ bytesIn }) => bytesIn / 1e3, 1),
      "kB received": perBlock(({ bytesOut }) => bytesOut / 1e3, 1),
      "kB gzip": perBlock(({ gzipOut }) => gzipOut / 1e3, 1),
      "processor, ms": perBlock(({ processorMs }) => processorMs, 0),
    };
  });
  const ratio = delayOf("lagging") / delayOf("polling");
  return {
    lines: [
      `${blocks} blocks, one every ${blockTime} ms, every ${tradeEvery}. with a trade; endpoints answer after ${latencyMs} ms`,
      `${count(tokens)} tokens; ${densities[density]} logs of other contracts a block`,
      "",
      ...tableOf(daily),
      "",
      ...tableOf(byBlock),
      ...(Number.isNaN(ratio)
        ? []
        : ["", `delay with one that lags: ${ratio.toFixed(2)} times, aim ${aim}: ${met(ratio <= aim)}`]),
    ],
    data: { samples: only.flatMap((name) => compared.of(name)) },
  };
});

/** Measures an indexer that follows a steadily growing chain. */
async function measure(
  benchmark: Benchmark,
  setup: SetupName,
  { blocks, blockTime, tradeEvery, density, tokens }: Options<typeof flags>,
) {
  const { endpoints: kinds, pushes = false, settings = {} }: Setup = setups[setup];
  const endpoints: EmulatedEndpoint[] = [];
  const { mineTrades, mineEmptyBlock, indexer, commits, stop } = await followLiveChain(benchmark, {
    blockTime,
    async connect(upstream) {
      const behind = { upstream, foreignLogs: densities[density] };
      for (const kind of kinds) endpoints.push(await startEmulatedEndpoint({ ...behind, ...kind }));
      return endpoints.flatMap(({ url, wsUrl }) => (pushes ? [url, wsUrl] : [url])).join(",");
    },
    settings: { POLLING_INTERVAL_56: "1000", ...settings },
    prepare: tokens > liveTokens ? (databaseUrl) => addTokens(databaseUrl, tokens - liveTokens) : undefined,
  });

  /** Resolves to the blocks with a trade. */
  async function grow(times: number) {
    const mined = await atFixedTimes(times, blockTime, (index) =>
      index % tradeEvery === 0 ? mineTrades(1) : void mineEmptyBlock(),
    );
    return mined.filter((block) => block !== undefined);
  }
  await grow(warmUpBlocks);
  for (const { counts } of endpoints) counts.reset();
  const startedAt = performance.now();
  const processorBefore = await indexer.readProcessorMs();
  const mined = await grow(blocks);
  const seconds = (performance.now() - startedAt) / 1_000;
  const processorMs = (await indexer.readProcessorMs()) - processorBefore;
  const totals = endpoints.map(({ counts }) => counts.total());
  await commits.untilCommitted(mined.at(-1)?.block ?? 0, settleMs);
  await stop();
  for (const endpoint of endpoints) await endpoint.stop();
  const sum = (key: keyof (typeof totals)[number]) => totals.reduce((all, total) => all + total[key], 0);
  return {
    setup,
    seconds,
    /** Requests, the JSON-RPC requests in them, and those of these without an address. */
    requests: sum("requests"),
    elements: sum("elements"),
    unfiltered: sum("unfiltered"),
    /** Bytes as plain text, and as sent. */
    bytesIn: sum("bytesIn"),
    bytesOut: sum("bytesOut"),
    gzipOut: sum("gzipOut"),
    processorMs,
    delays: commits.delaysOf(mined),
  };
}
