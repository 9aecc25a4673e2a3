import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median, quantile } from "../shared/quantile.ts";
import type { Sample } from "./measure.ts";
import type { BenchmarkOptions } from "./options.ts";
import { type SetupName, setupNames, setups } from "./setups.ts";

const secondsOfDay = 86_400;
/** The maximum ratio of the median delay with a lagging endpoint to that with the good one only. */
const aim = 1.2;

export type Report = ReturnType<typeof makeReport>;

/** Collects everything that a reader needs to judge the numbers: per block, and requests and bytes also per day; delays in milliseconds. */
export function makeReport(
  { blocks, blockTime, tradeEvery, foreignLogs, tokens }: BenchmarkOptions,
  samples: Sample[],
) {
  const of = (name: SetupName) => samples.filter(({ setup }) => setup === name);
  const rows = setupNames.flatMap((name) => {
    const own = of(name);
    if (own.length === 0) return [];
    const perDay = (value: (sample: Sample) => number) =>
      median(own.map((sample) => (value(sample) / sample.seconds) * secondsOfDay));
    const perBlock = (value: (sample: Sample) => number) =>
      median(own.map((sample) => value(sample) / blocks));
    return {
      name,
      requestsADay: perDay(({ elements }) => elements),
      bytesADay: perDay(({ bytesIn, bytesOut }) => bytesIn + bytesOut),
      requests: perBlock(({ requests }) => requests),
      elements: perBlock(({ elements }) => elements),
      unfiltered: perBlock(({ unfiltered }) => unfiltered),
      bytesIn: perBlock(({ bytesIn }) => bytesIn),
      bytesOut: perBlock(({ bytesOut }) => bytesOut),
      gzipOut: perBlock(({ gzipOut }) => gzipOut),
      processorMs: perBlock(({ processorMs }) => processorMs),
      median: median(own.map(({ delays }) => quantile(delays, 0.5))),
      p90: median(own.map(({ delays }) => quantile(delays, 0.9))),
    };
  });
  return { blocks, blockTime, tradeEvery, foreignLogs, tokens, machine: describeMachine(), rows, samples };
}

export function formatReport(report: Report): string {
  const { blocks, blockTime, tradeEvery, foreignLogs, tokens, machine, rows } = report;
  const delayOf = (wanted: SetupName) => rows.find(({ name }) => name === wanted)?.median;
  const [alone, withLagging] = [delayOf("polling"), delayOf("lagging")];
  const ratio = alone === undefined || withLagging === undefined ? undefined : withLagging / alone;
  return [
    "",
    `${blocks} blocks, one every ${blockTime} ms, every ${tradeEvery}. with a trade; endpoints answer after 60 ms`,
    `${count(tokens)} tokens; ${foreignLogs} logs of other contracts a block`,
    formatMachine(machine),
    "",
    row("", "requests a day", "MB a day", "delay, ms", "p90"),
    ...rows.map(({ name, requestsADay, bytesADay, median, p90 }) =>
      row(
        setups[name].description,
        count(requestsADay),
        count(bytesADay / 1e6),
        median.toFixed(0),
        p90.toFixed(0),
      ),
    ),
    "",
    row(
      "per block",
      "HTTP requests",
      "elements",
      "no address",
      "kB sent",
      "kB received",
      "kB gzip",
      "processor, ms",
    ),
    ...rows.map(({ name, requests, elements, unfiltered, bytesIn, bytesOut, gzipOut, processorMs }) =>
      row(
        setups[name].description,
        ...[requests, elements, unfiltered].map((value) => value.toFixed(2)),
        ...[bytesIn, bytesOut, gzipOut].map((bytes) => (bytes / 1e3).toFixed(1)),
        processorMs.toFixed(0),
      ),
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
  return name.padEnd(28) + cells.map((cell) => cell.padStart(15)).join("");
}

const count = (value: number) => Math.round(value).toLocaleString("en-US");
