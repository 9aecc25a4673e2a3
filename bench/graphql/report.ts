import { describeMachine, formatMachine } from "../shared/machine.ts";
import type { Measured, Outcome } from "./measure.ts";
import type { BenchmarkOptions } from "./options.ts";

/** The median of a query may be this multiple of that of its SQL, plus these milliseconds. */
const aim = { times: 3, milliseconds: 2 };

export type Report = ReturnType<typeof makeReport>;

/** Collects everything that a reader needs to judge the numbers. */
export function makeReport({ tokens, trades, inFlight, seconds }: BenchmarkOptions, measured: Measured) {
  return { fixture: { tokens, trades }, inFlight, seconds, machine: describeMachine(), ...measured };
}

export function formatReport({ fixture, inFlight, seconds, machine, outcomes, scans }: Report): string {
  const count = (value: number) => value.toLocaleString("en-US");
  return [
    "",
    `${count(fixture.tokens)} registered tokens, ${count(fixture.trades)} trades, ${inFlight} in flight, ${seconds} s for each cell; ms`,
    formatMachine(machine),
    "",
    row("", "GraphQL", "p99", "SQL", "p99", "allowed", ""),
    ...outcomes.map(formatOutcome),
    "",
    scans.length === 0
      ? "No large table was read from end to end."
      : `Read from end to end: ${scans.map(({ table, times }) => `${table} (${times} times)`).join(", ")}`,
  ].join("\n");
}

function formatOutcome({ name, graphql, sql }: Outcome): string {
  const allowed = aim.times * sql.median + aim.milliseconds;
  const cells = [graphql.median, graphql.p99, sql.median, sql.p99, allowed].map(milliseconds);
  return row(name, ...cells, graphql.median <= allowed ? "met" : "missed");
}

function row(name: string, ...cells: string[]): string {
  return (name.padEnd(44) + cells.map((cell) => cell.padStart(9)).join("")).trimEnd();
}

const milliseconds = (value: number) => value.toFixed(value < 100 ? 2 : 0);
