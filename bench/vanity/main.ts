import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { request, runLoad } from "../shared/load.ts";
import { type Options, whole } from "../shared/options.ts";
import { median, quantile, type Summary, summarize, tableOf } from "../shared/report.ts";
import { packageSearchers } from "./packages.ts";
import { castSearcher, ourSearcher, type Searcher } from "./searchers.ts";

/* Measures how fast a salt is found, beside the alternatives. */

/** The mean number of tries for four hexadecimal digits. */
const meanAttempts = 16 ** 4;
/** Clients that request salts while `/api/health` is measured. */
const clients = 8;
const healthRequests = 1_000;
/** Longer than the health requests take during the load. */
const loadSeconds = 30;

const flags = {
  threads: whole(Math.max(1, availableParallelism() - 1)),
  seconds: whole(3),
  rounds: whole(3),
  salts: whole(300),
  /** A running service to measure over HTTP as well. */
  url: z.url().optional(),
};

await runBenchmark(flags, async (options, benchmark) => {
  const { threads, rounds, salts, url } = options;
  const searchers = [
    ourSearcher("simd", threads),
    ourSearcher("scalar", threads),
    castSearcher(threads),
    ...packageSearchers,
  ];
  const searched = await measure(searchers, options, benchmark.log);
  for (const { close } of searchers) await close?.();
  const http = url === undefined ? [] : ["", ...(await measureHttp(benchmark, new URL(url).origin, salts))];

  const millions = (rate: number) => (rate / 1e6).toFixed(rate < 1e5 ? 3 : 2);
  const cast = searched.find(({ name }) => name.startsWith("cast"))?.rate ?? Number.NaN;
  return {
    lines: [
      `${threads} thread(s) for each`,
      "",
      ...tableOf(
        searched.map(({ name, rate, rates, about, median, p99 }) => ({
          "": name,
          "M hashes/s": millions(rate),
          range: `${millions(Math.min(...rates))}–${millions(Math.max(...rates))}`,
          "of cast's": (rate / cast).toFixed(rate < 1e6 ? 3 : 2),
          "median ms": about + median.toFixed(median < 100 ? 1 : 0),
          "p99 ms": about + p99.toFixed(p99 < 100 ? 1 : 0),
        })),
      ),
      "",
      `Rates are per second of processor time, medians of ${rounds} rounds; times to a salt for 5afe are those of ${salts} salts or, with ~, computed from the rate.`,
      ...http,
    ],
    data: { searched, http },
  };
});

/** Measures the searchers in turn, so that a temporarily slow machine slows down all of them. */
async function measure(
  searchers: Searcher[],
  { threads, seconds, rounds, salts }: Options<typeof flags>,
  log: Benchmark["log"],
) {
  const contestants = searchers.map((searcher) => ({
    ...searcher,
    rates: [] as number[],
    times: [] as number[],
  }));
  for (const { rate } of contestants) await rate(1);
  for (let round = 1; round <= rounds; round++) {
    for (const { rates, rate } of contestants) rates.push(await rate(seconds));
    log(`rates: round ${round} of ${rounds}`);
  }
  for (let salt = 1; salt <= salts; salt++) {
    for (const { times, find } of contestants) if (find !== undefined) times.push(await find());
    if (salt % 100 === 0) log(`times: ${salt} of ${salts} salts`);
  }
  return contestants.map(({ name, rates, times }) => {
    const rate = median(rates);
    // The time to a salt is exponentially distributed.
    const expected = (rank: number) => (1_000 * meanAttempts * Math.log(1 / (1 - rank))) / (rate * threads);
    const timeAt = (rank: number) => (times.length > 0 ? quantile(times, rank) : expected(rank));
    const about = times.length > 0 ? "" : "~";
    /** Salts per second of processor time, and milliseconds until one is found. */
    return { name, rate, rates, median: timeAt(0.5), p99: timeAt(0.99), about };
  });
}

/** Measures requests to a running service: for salts, and `/api/health` while idle and while clients request salts. */
async function measureHttp(benchmark: Benchmark, url: string, salts: number): Promise<string[]> {
  const path = `/api/tokens/vanity-salt?${new URLSearchParams({ name: "Brave Otter", symbol: "OTTER" })}`;
  const timeHealth = (pauseMs: number) => timeRequests(`${url}/api/health`, healthRequests, pauseMs);
  await timeRequests(url + path, 20, 0);
  const salt = await timeRequests(url + path, salts, 0);
  await timeHealth(0);
  const idle = await timeHealth(5);

  let hasEnded = false;
  const load = runLoad(benchmark, {
    kind: "http",
    url,
    requests: [{ path, group: "salt" }],
    inFlight: clients,
    warmUp: 0,
    seconds: loadSeconds,
  }).finally(() => {
    hasEnded = true;
  });
  await delay(1_000);
  const loaded = await timeHealth(5);
  if (hasEnded) throw new Error("the load ended before the last health request");
  const both = ({ median, p99 }: Summary) => `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return [
    `HTTP, a salt:                   ${both(salt)}`,
    `HTTP, /api/health, idle:        ${both(idle)}`,
    `HTTP, /api/health, under load:  ${both(loaded)}: p99 is ${(loaded.p99 / idle.p99).toFixed(2)} times idle`,
    `The load: ${clients} clients got ${(await load).perSecond.toFixed(0)} salts a second`,
  ];
}

async function timeRequests(url: string, count: number, pauseMs: number): Promise<Summary> {
  const times: number[] = [];
  while (times.length < count) {
    times.push((await request(url)).milliseconds);
    if (pauseMs > 0) await delay(pauseMs);
  }
  return summarize(times);
}
