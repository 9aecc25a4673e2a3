import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median, quantile } from "../shared/quantile.ts";
import type { Sample } from "./measure.ts";
import type { BenchmarkOptions } from "./options.ts";
import { type SetupName, setupNames, setups } from "./setups.ts";

const secondsOfDay = 86_400;
/** The maximum ratio of the median delay with a lagging endpoint to that with the good one only. */
const aim = 1.2;

export type Report = ReturnType<typeof makeReport>;

/** Collects everything that a reader needs to judge the numbers. Requests and bytes are per day, delays in milliseconds. */
export function makeReport({ blocks, blockTime, tradeEvery }: BenchmarkOptions, samples: Sample[]) {
  const of = (name: SetupName) => samples.filter(({ setup }) => setup === name);
  const rows = setupNames.flatMap((name) => {
    const own = of(name);
    if (own.length === 0) return [];
    const perDay = (value: (sample: Sample) => number) =>
      median(own.map((sample) => (value(sample) / sample.seconds) * secondsOfDay));
    return {
      name,
      requests: perDay(({ elements }) => elements),
      bytes: perDay(({ bytes }) => bytes),
      median: median(own.map(({ delays }) => quantile(delays, 0.5))),
      p90: median(own.map(({ delays }) => quantile(delays, 0.9))),
    };
  });
  return { blocks, blockTime, tradeEvery, machine: describeMachine(), rows, samples };
}

export function formatReport({ blocks, blockTime, tradeEvery, machine, rows }: Report): string {
  const delayOf = (wanted: SetupName) => rows.find(({ name }) => name === wanted)?.median;
  const [alone, withLagging] = [delayOf("polling"), delayOf("lagging")];
  const ratio = alone === undefined || withLagging === undefined ? undefined : withLagging / alone;
  return [
    "",
    `${blocks} blocks, one every ${blockTime} ms, every ${tradeEvery}. with a trade; endpoints answer after 60 ms`,
    formatMachine(machine),
    "",
    row("", "requests a day", "MB a day", "delay, ms", "p90"),
    ...rows.map(({ name, requests, bytes, median, p90 }) =>
      row(setups[name].description, count(requests), count(bytes / 1e6), median.toFixed(0), p90.toFixed(0)),
    ),
    ...(ratio === undefined
      ? []
      : [
          "",
          `delay with one that lags: ${ratio.toFixed(2)} times, aim ${aim}: ${ratio <= aim ? "met" : "missed"}`,
        ]),
  ].join("\n");
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(28) + cells.map((cell) => cell.padStart(16)).join("");
}

const count = (value: number) => Math.round(value).toLocaleString("en-US");
