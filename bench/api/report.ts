import type { LoadResult, Times } from "../shared/load/load.ts";
import { describeMachine, formatMachine } from "../shared/machine.ts";
import type { Phase } from "./measure.ts";
import type { FixtureSize } from "./seed/size.ts";

type Aim = { phase: string; measure: keyof Times; below: number };

/** In milliseconds, for a million tokens and ten million trades on 2 cores. */
const aims: Aim[] = [
  { phase: "no cache", measure: "median", below: 10 },
  { phase: "no cache", measure: "p99", below: 50 },
  { phase: "cache", measure: "median", below: 10 },
];

export type Report = ReturnType<typeof makeReport>;

/** Collects everything that a reader needs to judge the numbers. */
export function makeReport({ tokens, trades }: FixtureSize, seconds: number, phases: Phase[]) {
  return {
    fixture: { tokens, trades },
    seconds,
    machine: describeMachine(),
    phases,
  };
}

export function formatReport({ fixture, seconds, machine, phases }: Report): string {
  return [
    "",
    `${count(fixture.tokens)} registered tokens, ${count(fixture.trades)} trades, ${seconds} s for each row`,
    formatMachine(machine),
    ...phases.flatMap((phase) => formatPhase(phase, fixture)),
  ].join("\n");
}

function formatPhase(phase: Phase, fixture: FixtureSize): string[] {
  const { name, inFlight, ours, bare, cold, peakMemory, verified, blocks } = phase;
  const slowest = Object.entries(ours.groups)
    .toSorted(([, left], [, right]) => right.p99 - left.p99)
    .slice(0, 4)
    .map(([group, times]) => `${group} ${ms(times.p99)}`);
  return [
    "",
    `${name}, ${inFlight} in flight${blocks === 0 ? "" : `, ${blocks} blocks written meanwhile`}, ${verified} answers compared with SQL`,
    "",
    row("", "requests/s", "median ms", "p90 ms", "p99 ms", "max ms"),
    formatLoad("GET /api/tokens", ours),
    formatLoad("bare: select 1", bare),
    row(
      "ratio",
      ratio(ours.perSecond, bare.perSecond),
      ...(["median", "p90", "p99", "max"] as const).map((key) => ratio(ours.times[key], bare.times[key])),
    ),
    ...aims.filter((aim) => aim.phase === name).map((aim) => formatAim(aim, ours, fixture)),
    "",
    `slowest by p99 (ms): ${slowest.join(", ")}`,
    `first answer of the process ${ms(cold.firstAnswer)} ms, then ${Math.round(cold.residentAfter)} MiB resident; at most ${Math.round(peakMemory)} MiB`,
    "first answer in each order that is not always kept:",
    ...cold.sorts.map(({ sort, milliseconds }) => `  ${sort.padEnd(12)}${ms(milliseconds).padStart(9)} ms`),
    "first answer to each search:",
    ...cold.searches.map(
      ({ q, total, milliseconds }) =>
        `  ${q.padEnd(12)}${count(total).padStart(9)} found${ms(milliseconds).padStart(9)} ms`,
    ),
  ];
}

function formatAim({ measure, below }: Aim, { times }: LoadResult, { tokens, trades }: FixtureSize): string {
  const outcome =
    tokens < 1_000_000 || trades < 10_000_000
      ? "too small a fixture to tell"
      : times[measure] < below
        ? "met"
        : "missed";
  return `${measure} below ${below} ms: ${outcome}`;
}

function formatLoad(name: string, { perSecond, times }: LoadResult): string {
  return row(
    name,
    count(Math.round(perSecond)),
    ms(times.median),
    ms(times.p90),
    ms(times.p99),
    ms(times.max),
  );
}

function row(name: string, ...cells: string[]): string {
  return (name.padEnd(18) + cells.map((cell) => cell.padStart(11)).join("")).trimEnd();
}

const ratio = (left: number, right: number) => (left / right).toFixed(2);
const ms = (value: number) => value.toFixed(value < 100 ? 2 : 0);
const count = (value: number) => value.toLocaleString("en-US");
