import { availableParallelism } from "node:os";
import { z } from "zod";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { type LoadResult, runLoad } from "../shared/load.ts";
import { type Options, whole } from "../shared/options.ts";
import { median, quantile, tableOf } from "../shared/report.ts";
import { measureInTurn } from "../shared/rounds.ts";
import { castSearcher, ourSearcher, packageSearchers, type Searcher } from "./searchers.ts";

/* Measures how fast a salt is found, beside the alternatives. */

/** The mean number of tries for four hexadecimal digits. */
const meanAttempts = 16 ** 4;
/** Clients that request salts while `/api/health` is measured. */
const clients = 8;
/** How long each of these requests is measured. */
const httpSeconds = 10;

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
  const http = url === undefined ? [] : ["", ...(await measureHttp(benchmark, new URL(url).origin))];

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

/** Measures the rates of the searchers, and then their times to a salt, in milliseconds. */
async function measure(
  searchers: Searcher[],
  { threads, seconds, rounds, salts }: Options<typeof flags>,
  log: Benchmark["log"],
) {
  for (const { rate } of searchers) await rate(1);
  log("Measuring rates");
  const rates = await measureInTurn(searchers, rounds, ({ rate }) => rate(seconds));
  log("Measuring times to a salt");
  const finders = searchers.filter(({ find }) => find !== undefined);
  const found = await measureInTurn(finders, salts, async ({ find }) => (await find?.()) ?? Number.NaN);
  return searchers.map((searcher) => {
    const [rate, times] = [median(rates.of(searcher)), found.of(searcher)];
    // The time to a salt is exponentially distributed.
    const expected = (rank: number) => (1_000 * meanAttempts * Math.log(1 / (1 - rank))) / (rate * threads);
    const timeAt = (rank: number) => (times.length > 0 ? quantile(times, rank) : expected(rank));
    const about = times.length > 0 ? "" : "~";
    const { name } = searcher;
    return { name, rate, rates: rates.of(searcher), median: timeAt(0.5), p99: timeAt(0.99), about };
  });
}

/** Measures requests to a running service: for salts, and `/api/health` while idle and while clients request salts. */
async function measureHttp(benchmark: Benchmark, url: string): Promise<string[]> {
  const saltPath = `/api/tokens/vanity-salt?${new URLSearchParams({ name: "Brave Otter", symbol: "OTTER" })}`;
  const load = (path: string, inFlight: number) =>
    runLoad(benchmark, {
      kind: "http",
      url,
      requests: [{ path, group: path }],
      inFlight,
      warmUp: 1,
      seconds: httpSeconds,
    });
  const salt = await load(saltPath, 1);
  const idle = await load("/api/health", 1);
  const [loaded, salts] = await Promise.all([load("/api/health", 1), load(saltPath, clients)]);
  const both = ({ times: { median, p99 } }: LoadResult) =>
    `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  const ratio = (loaded.times.p99 / idle.times.p99).toFixed(2);
  return [
    `HTTP, a salt:                   ${both(salt)}`,
    `HTTP, /api/health, idle:        ${both(idle)}`,
    `HTTP, /api/health, under load:  ${both(loaded)}: p99 is ${ratio} times idle`,
    `The load: ${clients} clients got ${salts.perSecond.toFixed(0)} salts a second`,
  ];
}
