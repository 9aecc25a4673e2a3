import { describeMachine, formatMachine } from "../shared/machine.ts";
import { quantile } from "../shared/quantile.ts";
import type { Delays } from "./measure.ts";
import type { BenchmarkOptions } from "./options.ts";

/** The target for the median with 1,000 clients, in milliseconds. */
const aim = 250;

export type Report = ReturnType<typeof makeReport>;

/** Collects everything that a reader needs to judge the numbers. Times are in milliseconds. */
export function makeReport(options: BenchmarkOptions, delays: Delays) {
  const { clients, blocks, trades, blockTime } = options;
  return {
    clients,
    blocks,
    trades,
    blockTime,
    arrivals: delays.sinceMined.length,
    machine: describeMachine(),
    delays: {
      ofPonder: summarize(delays.ofPonder),
      sinceCommitted: summarize(delays.sinceCommitted),
      sinceMined: summarize(delays.sinceMined),
    },
  };
}

export function formatReport({ clients, blocks, trades, arrivals, machine, delays }: Report): string {
  const outcome =
    clients < 1_000 ? "too few clients to tell" : delays.sinceCommitted.median < aim ? "met" : "missed";
  return [
    "",
    `${count(clients)} clients, ${count(blocks)} blocks of ${count(trades)} trades: ${count(arrivals)} arrivals`,
    formatMachine(machine),
    "",
    row("milliseconds", "median", "p90", "p99", "max"),
    formatDelays("block mined to Ponder's tables", delays.ofPonder),
    formatDelays("Ponder's tables to client", delays.sinceCommitted),
    formatDelays("block mined to client", delays.sinceMined),
    "",
    `median beyond Ponder below ${aim} ms: ${outcome}`,
  ].join("\n");
}

type Summary = ReturnType<typeof summarize>;

function summarize(values: number[]) {
  return {
    median: quantile(values, 0.5),
    p90: quantile(values, 0.9),
    p99: quantile(values, 0.99),
    max: quantile(values, 1),
  };
}

function formatDelays(name: string, { median, p90, p99, max }: Summary): string {
  return row(name, ...[median, p90, p99, max].map((value) => value.toFixed(1)));
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(32) + cells.map((cell) => cell.padStart(10)).join("");
}

const count = (value: number) => value.toLocaleString("en-US");
