import { describeMachine, formatMachine } from "../shared/machine.ts";
import { attacks } from "./attacks/index.ts";
import type { Measured } from "./measure.ts";

/**
 * What an attack may cost: how many times as long as in the quiet service normal requests may take (their median and 99th
 * percentile), and MiB.
 *
 * A hundred busy clients share the service with a normal one, which then may take a hundred times as long as alone. One busy address
 * has no more than its own share, but what has begun is not interrupted. Idle clients should not be noticed.
 */
const aims = {
  idle: { median: 3, p99: 10 },
  one: { median: 10, p99: 10 },
  many: { median: 100, p99: 100 },
  memory: 200,
};

export function makeReport(measured: Measured[]) {
  return { machine: describeMachine(), aims, measured };
}

export function formatReport({ machine, measured }: ReturnType<typeof makeReport>): string {
  const missed = measured.filter((one) => missedAims(one).length > 0);
  return [
    "",
    formatMachine(machine),
    "Normal requests, one every 50 ms, in ms (and as multiples of those while the service was quiet); memory of the service in MiB.",
    `Aims for median and p99: ${formatAim("idle")} if the attackers are idle, else ${formatAim("one")} from one address and ${formatAim("many")} from many; no failure; at most ${aims.memory} MiB more.`,
    "",
    row(
      "attack",
      "from",
      ...["p50", "p99"].flatMap((name) => [`quiet ${name}`, name, ""]),
      "failed",
      "memory",
      "missed",
      "answers",
    ),
    ...measured.map(formatMeasured),
    "",
    `${measured.length - missed.length} of ${measured.length} attacks met the aims`,
    "",
    ...[...new Set(measured.map(({ attack }) => attack))].map(
      (name) => `${name.padEnd(20)}${attacks[name]?.description}`,
    ),
  ].join("\n");
}

export function formatMeasured(measured: Measured): string {
  const { attack, mode, tally, quiet, attacked } = measured;
  const answers = Object.entries(tally).map(([status, times]) => `${times} × ${status}`);
  const growth = attacked.peak - quiet.resident;
  return row(
    attack,
    mode,
    formatTime(quiet.p50),
    formatTime(attacked.p50),
    `× ${(attacked.p50 / quiet.p50).toFixed(1)}`,
    formatTime(quiet.p99),
    formatTime(attacked.p99),
    `× ${(attacked.p99 / quiet.p99).toFixed(1)}`,
    String(attacked.failures.length),
    Number.isNaN(growth) ? "" : `${growth < 0 ? "" : "+"}${growth.toFixed(0)}`,
    missedAims(measured).join(" ") || "-",
    [...answers, ...new Set(attacked.failures)].join(", "),
  );
}

const formatAim = (kind: "idle" | "one" | "many") => `× ${aims[kind].median} and × ${aims[kind].p99}`;

/** The names of the aims that were missed. */
function missedAims({ attack, mode, quiet, attacked }: Measured): string[] {
  const { median, p99 } = aims[attacks[attack]?.isIdle ? "idle" : mode];
  const isMissed = {
    p50: attacked.p50 > median * quiet.p50,
    p99: attacked.p99 > p99 * quiet.p99,
    failed: attacked.failures.length > 0,
    memory: attacked.peak - quiet.resident > aims.memory,
  };
  return Object.entries(isMissed).flatMap(([name, missed]) => (missed ? [name] : []));
}

const formatTime = (ms: number) => ms.toFixed(ms < 100 ? 1 : 0);

function row(name: string, from: string, ...cells: string[]): string {
  const last = cells.pop() ?? "";
  return `${name.padEnd(20)}${from.padEnd(5)}${cells.map((cell) => cell.padStart(10)).join("")}   ${last}`.trimEnd();
}
