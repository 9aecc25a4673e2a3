import { fileURLToPath } from "node:url";
import { freePort } from "../../runtime/checks/host.ts";
import { isStanding, sorts, toOrder } from "../../src/api/tokens/list/order/sorts.ts";
import { type Fixture, fixtureFlags, openFixture } from "../fixture/fixture.ts";
import { bigCreator, createdTokens } from "../fixture/size.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { type HttpRequest, type LoadResult, runLoad } from "../shared/load.ts";
import { type Options, text, toggle, whole } from "../shared/options.ts";
import { type Service, startService, untilUp } from "../shared/ponder.ts";
import { readMemory } from "../shared/process.ts";
import { count, formatMs, met, type Summary, table } from "../shared/report.ts";
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

/** Without a setting, the cache has its default size. */
const phases: { name: string; inFlight: number; settings?: Record<string, string> }[] = [
  { name: "no cache", inFlight: 4, settings: { LIST_CACHE_MB: "0" } },
  { name: "cache", inFlight: 50 },
];

/** In milliseconds, for a million tokens and ten million trades on 2 cores. */
const aims: { phase: string; measure: keyof Summary; below: number }[] = [
  { phase: "no cache", measure: "median", below: 10 },
  { phase: "no cache", measure: "p99", below: 50 },
  { phase: "cache", measure: "median", below: 10 },
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
  const bare = await startBare(benchmark, fixture.databaseUrl);
  const measured: Phase[] = [];
  for (const phase of phases) {
    benchmark.log(`Measuring: ${phase.name}, ${phase.inFlight} in flight`);
    measured.push(await measure(benchmark, fixture, bare, { ...options, ...phase }));
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

/** Starts a route that runs `select 1` on the same database. */
async function startBare(benchmark: Benchmark, databaseUrl: string): Promise<Service> {
  const port = await freePort();
  const program = fileURLToPath(new URL("bare.ts", import.meta.url));
  const child = benchmark.start("the bare route", [program, String(port), databaseUrl]);
  return await untilUp(child, `http://127.0.0.1:${port}`, "/");
}

/** Measures the service and then the bare route, on the same database with the same load. */
async function measure(
  benchmark: Benchmark,
  fixture: Fixture,
  bare: Service,
  options: ApiOptions & (typeof phases)[number],
) {
  const { name, inFlight, seconds, warmUp, changing } = options;
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
  const ofBare = await load(bare.url, [{ path: "/", group: "bare" }]);
  return { name, inFlight, ours, bare: ofBare, cold, peakMemory, verified, blocks };
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
  const { name, inFlight, ours, bare, cold, peakMemory, verified, blocks } = phase;
  const measures = ["median", "p90", "p99", "max"] as const;
  const cells = ({ perSecond, times }: LoadResult) => [
    count(perSecond),
    ...measures.map((measure) => formatMs(times[measure])),
  ];
  const slowest = Object.entries(ours.groups)
    .toSorted(([, one], [, other]) => other.p99 - one.p99)
    .slice(0, 4)
    .map(([group, times]) => `${group} ${formatMs(times.p99)}`);
  const aimsOfPhase = aims.filter((aim) => aim.phase === name);
  return [
    `${name}, ${inFlight} in flight${blocks === 0 ? "" : `, ${blocks} blocks written meanwhile`}, ${verified} answers compared with SQL`,
    "",
    ...table([
      ["", "requests/s", ...measures.map((measure) => `${measure} ms`)],
      ["GET /api/tokens", ...cells(ours)],
      ["bare: select 1", ...cells(bare)],
      [
        "ratio",
        (ours.perSecond / bare.perSecond).toFixed(2),
        ...measures.map((measure) => (ours.times[measure] / bare.times[measure]).toFixed(2)),
      ],
    ]),
    ...aimsOfPhase.map(({ measure, below }) => {
      const verdict = isFullSize ? met(ours.times[measure] < below) : "too small a fixture to tell";
      return `${measure} below ${below} ms: ${verdict}`;
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
