import { median, quantile } from "../shared/quantile.ts";
import type { VanityBenchmarkOptions } from "./options.ts";
import type { Searcher } from "./searcher.ts";
import { expectedTime, meanAttempts } from "./statistics.ts";

export type Measurement = {
  name: string;
  /** Salts per second of processor time: the median of the rounds, and the value of each. */
  rate: number;
  rates: number[];
  /** Milliseconds until a salt is found. */
  median: number;
  p99: number;
  /** Whether these times were measured. If measuring would take too long, they are computed from the rate. */
  timesMeasured: boolean;
};

const maxMeasurementMs = 60_000;

/** Measures the searchers in turn, so that a temporarily slow machine slows down all of them. */
export async function measure(
  searchers: Searcher[],
  { threads, seconds, rounds, salts }: VanityBenchmarkOptions,
  log: (line: string) => void,
): Promise<Measurement[]> {
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

  const fastEnough = contestants.filter(
    ({ rates }) => (1_000 * salts * meanAttempts) / (median(rates) * threads) < maxMeasurementMs,
  );
  for (let salt = 1; salt <= salts; salt++) {
    for (const { times, find } of fastEnough) times.push(await find());
    if (salt % 100 === 0) log(`times: ${salt} of ${salts} salts`);
  }

  return contestants.map(({ name, rates, times }) => {
    const rate = median(rates);
    const timesMeasured = times.length > 0;
    const timeAt = (rank: number) =>
      timesMeasured ? quantile(times, rank) : expectedTime(rate * threads, rank);
    return { name, rate, rates, median: timeAt(0.5), p99: timeAt(0.99), timesMeasured };
  });
}
