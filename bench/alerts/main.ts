import { writeFile } from "node:fs/promises";
import { describeMachine, formatMachine } from "../shared/machine.ts";
import { quantile } from "../shared/quantile.ts";
import { runBenchmark } from "../shared/run-benchmark.ts";
import { type Delays, measure } from "./measure.ts";
import { type BenchmarkOptions, readOptions } from "./options.ts";

/** The target for the median delivery, in milliseconds. */
const aim = 500;

await runBenchmark(readOptions, async (options, { processes, serverUrl, log }) => {
  const { subscriptions, matching, blocks, trades } = options;
  log(
    `Measuring: ${subscriptions} subscriptions, ${matching} for each event, ${blocks} blocks of ${trades} trades`,
  );
  const delays = await measure(processes, serverUrl, options);
  const report = {
    options,
    machine: describeMachine(),
    without: summarizeAll(delays.without),
    with: summarizeAll(delays.with),
  };
  log(format(report));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
});

type Summary = ReturnType<typeof summarize>;

function summarize(values: number[]) {
  return {
    count: values.length,
    median: quantile(values, 0.5),
    p90: quantile(values, 0.9),
    p99: quantile(values, 0.99),
  };
}

function summarizeAll({ ofPonder, ofApi, sinceCommitted }: Delays) {
  return {
    ofPonder: summarize(ofPonder),
    ofApi: summarize(ofApi),
    sinceCommitted: sinceCommitted.length === 0 ? undefined : summarize(sinceCommitted),
  };
}

type Report = {
  options: BenchmarkOptions;
  machine: ReturnType<typeof describeMachine>;
  without: ReturnType<typeof summarizeAll>;
  with: ReturnType<typeof summarizeAll>;
};

function format({ machine, without, with: alerts }: Report): string {
  const delivered = alerts.sinceCommitted;
  return [
    "",
    formatMachine(machine),
    "",
    row("milliseconds", "median", "p90", "p99"),
    formatRow("block mined to Ponder's tables, without alerts", without.ofPonder),
    formatRow("the same with alerts", alerts.ofPonder),
    formatRow("GET /api/trades, without alerts", without.ofApi),
    formatRow("the same with alerts", alerts.ofApi),
    ...(delivered === undefined ? [] : [formatRow("Ponder's tables to receiver", delivered)]),
    "",
    `median delivery below ${aim} ms: ${delivered !== undefined && delivered.median < aim ? "met" : "missed"}`,
    `${delivered?.count} messages arrived`,
  ].join("\n");
}

function formatRow(name: string, { median, p90, p99 }: Summary): string {
  return row(name, ...[median, p90, p99].map((value) => value.toFixed(1)));
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(48) + cells.map((cell) => cell.padStart(10)).join("");
}
