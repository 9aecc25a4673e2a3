import { isStanding, sorts, toOrder } from "../../src/api/tokens/list/order/sorts.ts";
import { type Fixture, fixtureFlags, openFixture } from "../fixture/fixture.ts";
import { bigCreator, createdTokens } from "../fixture/size.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { type HttpRequest, type LoadResult, runLoad } from "../shared/load.ts";
import { type Options, text, toggle, whole } from "../shared/options.ts";
import { type Service, startService } from "../shared/ponder.ts";
import { readMemory, startWorker } from "../shared/process.ts";
import { count, formatMs, met, type Summary, summaryColumns, table, tableOf } from "../shared/report.ts";
import {
  ask,
  type Combination,
  combinations,
  newest,
  pathOf,
  type Selection,
  searches,
  selections,
} from "./requests.ts";
import { verify } from "./verify.ts";
import { startWriter } from "./writer.ts";

/* Measures how fast the token list answers, beside a route that only runs `select 1`. */

/** Without a setting, the cache has its default size. Aims are in milliseconds, for a million tokens and ten million trades on 2 cores. */
const phases: {
  name: string;
  inFlight: number;
  settings?: Record<string, string>;
  aims: Partial<Summary>;
}[] = [
  { name: "no cache", inFlight: 4, settings: { LIST_CACHE_MB: "0" }, aims: { median: 10, p99: 50 } },
  { name: "cache", inFlight: 50, aims: { median: 10 } },
];

const flags = {
  ...fixtureFlags(1_000_000, 10_000_000),
  seconds: whole(20),
  warmUp: whole(20),
  /** Whether a block and a registration are written each second. */
  changing: toggle(true),
  seedOnly: toggle(),
  profile: text,
};

type ApiOptions = Options<typeof flags>;
type Phase = Awaited<ReturnType<typeof measure>>;

await runBenchmark(flags, async (options, benchmark) => {
  const { tokens, trades, seconds, seedOnly } = options;
  const fixture = await openFixture(benchmark, options);
  if (seedOnly) return { lines: [], data: {} };
  const bare = startWorker<string>(benchmark, new URL("bare.ts", import.meta.url), fixture.databaseUrl);
  const bareUrl = await bare.next();
  const measured: Phase[] = [];
  for (const phase of phases) {
    benchmark.log(`Measuring: ${phase.name}, ${phase.inFlight} in flight`);
    measured.push(await measure(benchmark, fixture, bareUrl, { ...options, ...phase }));
  }
  const isFullSize = tokens >= 1_000_000 && trades >= 10_000_000;
  return {
    lines: [
      `${count(tokens)} registered tokens, ${count(trades)} trades, ${seconds} s for each row`,
      ...measured.flatMap((phase) => ["", ...format(phase, isFullSize)]),
    ],
    data: { phases: measured },
  };
});

/** Measures the service and then the bare route, on the same database with the same load. */
async function measure(
  benchmark: Benchmark,
  fixture: Fixture,
  bareUrl: string,
  options: ApiOptions & (typeof phases)[number],
) {
  const { name, inFlight, aims, seconds, warmUp, changing } = options;
  const { databaseUrl } = fixture;
  const service = await startService(benchmark, { ...fixture, ...options, databaseUrl });
  const { url } = service;
  const cold = await coldStart(service);
  const all = combinations(await readTotals(url));
  const load = (target: string, requests: HttpRequest[]) =>
    runLoad(benchmark, { kind: "http", url: target, requests, inFlight, seconds, warmUp });

  const writer = changing ? await startWriter(databaseUrl, createdTokens(options)) : undefined;
  const ours = await load(url, all.map(toRequest));
  const blocks = (await writer?.stop()) ?? 0;
  const peakMemory = (await readMemory(service.pid)).peak;
  const verified = await verify(url, databaseUrl, all);
  await service.stop();
  const bare = await load(bareUrl, [{ path: "/", group: "bare" }]);
  return { name, inFlight, aims, ours, bare, cold, peakMemory, verified, blocks };
}

/** Milliseconds of a process's first answers, and its memory in MiB. */
async function coldStart({ url, pid }: Service) {
  // The whole list is read for the very first answer.
  const first = await ask(url, newest);
  const residentAfter = (await readMemory(pid)).resident;
  const inOrders: [order: string, milliseconds: number][] = [];
  for (const sort of sorts.filter((candidate) => !isStanding(toOrder(candidate, "24h")))) {
    inOrders.push([sort, (await ask(url, { ...newest, sort })).milliseconds]);
  }
  const toSearches: { q: string; total: number; milliseconds: number }[] = [];
  for (const q of searches) {
    if (q !== undefined) toSearches.push({ q, ...(await ask(url, { ...newest, q })) });
  }
  return { firstAnswer: first.milliseconds, residentAfter, inOrders, toSearches };
}

async function readTotals(url: string): Promise<(selection: Selection) => number> {
  const totals = new Map<Selection, number>();
  for (const selection of selections) {
    totals.set(selection, (await ask(url, { ...newest, ...selection, limit: 1 })).total);
  }
  return (selection) => totals.get(selection) ?? 0;
}

function toRequest(combination: Combination): HttpRequest {
  const { q, creator } = combination;
  const by = creator === undefined ? "" : creator === bigCreator ? " by the big creator" : " by a small one";
  return { path: pathOf(combination), group: `${q ?? "no q"}${by}` };
}

function format(phase: Phase, isFullSize: boolean): string[] {
  const { name, inFlight, aims, ours, bare, cold, peakMemory, verified, blocks } = phase;
  const row = (heading: string, { perSecond, times }: LoadResult) => ({
    "": heading,
    "requests/s": count(perSecond),
    ...summaryColumns((measure) => formatMs(times[measure]), " ms"),
  });
  const ratio = {
    "": "ratio",
    "requests/s": (ours.perSecond / bare.perSecond).toFixed(2),
    ...summaryColumns((measure) => (ours.times[measure] / bare.times[measure]).toFixed(2), " ms"),
  };
  const slowest = Object.entries(ours.groups)
    .toSorted(([, one], [, other]) => other.p99 - one.p99)
    .slice(0, 4)
    .map(([group, times]) => `${group} ${formatMs(times.p99)}`);
  return [
    `${name}, ${inFlight} in flight${blocks === 0 ? "" : `, ${blocks} blocks written meanwhile`}, ${verified} answers compared with SQL`,
    "",
    ...tableOf([row("GET /api/tokens", ours), row("bare: select 1", bare), ratio]),
    ...Object.entries(aims).map(([measure, below]) => {
      const isMet = ours.times[measure as keyof Summary] < below;
      return `${measure} below ${below} ms: ${isFullSize ? met(isMet) : "too small a fixture to tell"}`;
    }),
    "",
    `slowest by p99 (ms): ${slowest.join(", ")}`,
    `first answer of the process ${formatMs(cold.firstAnswer)} ms, then ${count(cold.residentAfter)} MiB resident; at most ${count(peakMemory)} MiB`,
    "first answer in each order that is not always kept:",
    ...table(cold.inOrders.map(([sort, milliseconds]) => [`  ${sort}`, `${formatMs(milliseconds)} ms`])),
    "first answer to each search:",
    ...table(
      cold.toSearches.map(({ q, total, milliseconds }) => [
        `  ${q}`,
        `${count(total)} found`,
        `${formatMs(milliseconds)} ms`,
      ]),
    ),
  ];
}
