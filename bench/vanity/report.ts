import { describeMachine, formatMachine } from "../shared/machine.ts";
import type { HttpMeasurement } from "./http.ts";
import type { Measurement } from "./measure.ts";
import type { VanityBenchmarkOptions } from "./options.ts";

export type Report = ReturnType<typeof makeReport>;

export function makeReport(
  { threads, seconds, rounds, salts }: VanityBenchmarkOptions,
  searchers: Measurement[],
  http: HttpMeasurement | undefined,
) {
  return { machine: describeMachine(), threads, seconds, rounds, salts, searchers, http };
}

export function formatReport({ machine, threads, rounds, salts, searchers, http }: Report): string {
  const cast = searchers.find(({ name }) => name.startsWith("cast"));
  const lines = searchers.map((searcher) =>
    row(
      searcher.name,
      millions(searcher.rate),
      `${millions(Math.min(...searcher.rates))}–${millions(Math.max(...searcher.rates))}`,
      (searcher.rate / (cast?.rate ?? Number.NaN)).toFixed(searcher.rate < 1e6 ? 3 : 2),
      milliseconds(searcher.median, searcher.timesMeasured),
      milliseconds(searcher.p99, searcher.timesMeasured),
    ),
  );
  return [
    "",
    `${formatMachine(machine)}; ${threads} thread(s) for each`,
    "",
    row("", "M hashes/s", "range", "of cast's", "median ms", "p99 ms"),
    ...lines,
    "",
    `Rates are per second of processor time, medians of ${rounds} rounds; times to a salt for 5afe are those of ${salts} salts or, with ~, computed from the rate.`,
    ...(http === undefined ? [] : formatHttp(http)),
  ].join("\n");
}

function formatHttp({ salt, health, load }: HttpMeasurement): string[] {
  const both = ({ median, p99 }: { median: number; p99: number }) =>
    `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return [
    "",
    `HTTP, a salt:                   ${both(salt)}`,
    `HTTP, /api/health, idle:        ${both(health.idle)}`,
    `HTTP, /api/health, under load:  ${both(health.loaded)}: p99 is ${(health.loaded.p99 / health.idle.p99).toFixed(2)} times idle`,
    `The load: ${load.clients} clients got ${load.saltsPerSecond.toFixed(0)} salts a second, ${load.failures} failures`,
  ];
}

function row(name: string, ...cells: string[]): string {
  const widths = [12, 14, 11, 11, 10];
  return name.padEnd(26) + cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join("");
}

function millions(count: number): string {
  return (count / 1e6).toFixed(count < 1e5 ? 3 : 2);
}

function milliseconds(value: number, isMeasured: boolean): string {
  return `${isMeasured ? "" : "~"}${value.toFixed(value < 100 ? 1 : 0)}`;
}
