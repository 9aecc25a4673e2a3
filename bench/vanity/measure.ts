import type { VanityBenchmarkOptions } from "./options.ts";
import type { Searcher } from "./searcher.ts";
import { expectedTime, meanAttempts, median, quantile } from "./statistics.ts";

export type Measurement = {
  name: string;
  /** Salts a second on each thread: the median of the rounds, and every round. */
  rate: number;
  rates: number[];
  /** Milliseconds to a salt. */
  median: number;
  p99: number;
  /** Whether these were measured, or follow from the rate because measuring would take too long. */
  timesMeasured: boolean;
};

const longestMeasurement = 60_000;

/** Measures everyone's rate in turns, so that what slows the machine for a while slows all, and then their times. */
export async function measure(
  searchers: Searcher[],
  { threads, seconds, rounds, salts }: VanityBenchmarkOptions,
  log: (line: string) => void,
): Promise<Measurement[]> {
  for (const { rate } of searchers) await rate(1);
  const rates = searchers.map((): number[] => []);
  for (let round = 1; round <= rounds; round++) {
    for (const [index, { rate }] of searchers.entries()) rates[index]?.push((await rate(seconds)) / threads);
    log(`rates: round ${round} of ${rounds}`);
  }

  const measurements: Measurement[] = [];
  for (const [index, { name, find }] of searchers.entries()) {
    const ofRounds = rates[index] ?? [];
    const rate = median(ofRounds);
    const timesMeasured = (1_000 * salts * meanAttempts) / (rate * threads) < longestMeasurement;
    const times: number[] = [];
    for (let salt = 0; timesMeasured && salt < salts; salt++) times.push(await find());
    const timeAt = (rank: number) =>
      timesMeasured ? quantile(times, rank) : expectedTime(rate * threads, rank);
    measurements.push({
      name,
      rate,
      rates: ofRounds,
      median: timeAt(0.5),
      p99: timeAt(0.99),
      timesMeasured,
    });
    log(`times: ${name}${timesMeasured ? "" : ", from its rate"}`);
  }
  return measurements;
}
