import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { cpus, loadavg, totalmem } from "node:os";

/** The quantile `rank` (0 to 1) of the values, with linear interpolation. */
export function quantile(values: number[], rank: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = rank * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

export type Summary = ReturnType<typeof summarize>;

export function summarize(values: number[]) {
  return {
    count: values.length,
    median: median(values),
    p90: quantile(values, 0.9),
    p99: quantile(values, 0.99),
    max: quantile(values, 1),
  };
}

/** Aligns the cells of each row: names on the left, numbers on the right. The last column may be text, too. */
export function table(rows: string[][], { lastIsText = false } = {}): string[] {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [index, cell] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const isText = (index: number) => index === 0 || (lastIsText && index === widths.length - 1);
  const align = (cell: string, index: number) =>
    isText(index) ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0);
  return rows.map((cells) => cells.map(align).join("   ").trimEnd());
}

/** A table of rows whose keys are its heads. */
export function tableOf(rows: Record<string, string>[], options?: { lastIsText: boolean }): string[] {
  return table([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))], options);
}

/** The columns of a table for the measures of a summary. */
export function summaryColumns(format: (measure: keyof Summary) => string, unit = "") {
  const measures = ["median", "p90", "p99", "max"] as const;
  return Object.fromEntries(measures.map((measure) => [measure + unit, format(measure)]));
}

/** A table with a row for each of these times, in milliseconds. */
export function formatSummaries(summaries: Record<string, Summary>): string[] {
  const rows = Object.entries(summaries).map(([name, summary]) => ({
    milliseconds: name,
    ...summaryColumns((measure) => summary[measure].toFixed(1)),
  }));
  return tableOf(rows);
}

/** Formats a number without decimals, with commas between thousands. */
export const count = (value: number) => Math.round(value).toLocaleString("en-US");

/** Formats milliseconds without a unit. */
export const formatMs = (value: number) => value.toFixed(value < 100 ? 2 : 0);

export const met = (isMet: boolean) => (isMet ? "met" : "missed");

/** Describes the machine, as far as a reader needs it to judge the numbers. */
export function describeMachine() {
  const ponder = findPackageJSON("ponder", import.meta.url) ?? "";
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadOfLastMinutes: loadavg().map((load) => Number(load.toFixed(1))),
    node: process.version,
    ponder: (JSON.parse(readFileSync(ponder, "utf8")) as { version: string }).version,
  };
}

/** Formats the machine's description in one line. */
export function formatMachine(machine: ReturnType<typeof describeMachine>): string {
  const { cores, processor, memoryGiB, loadOfLastMinutes, node, ponder } = machine;
  return `${cores} × ${processor}, ${memoryGiB} GiB, load ${loadOfLastMinutes.join(" ")}, Node ${node}, Ponder ${ponder}`;
}
