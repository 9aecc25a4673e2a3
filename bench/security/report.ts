import { describeMachine, formatMachine } from "../shared/machine.ts";
import { attacks } from "./attacks/index.ts";
import type { Measured } from "./measure.ts";

/** What an attack may cost: milliseconds beyond the idle 99th percentile, and MiB. */
const aims = { delay: 250, memory: 200 };

export function makeReport(measured: Measured[]) {
  return { machine: describeMachine(), aims, measured };
}

export function formatReport({ machine, measured }: ReturnType<typeof makeReport>): string {
  return [
    "",
    formatMachine(machine),
    `GET /api/health every 20 ms, in ms; memory of the service in MiB. Aims: at most ${aims.delay} ms beyond the idle p99, at most ${aims.memory} MiB more`,
    "",
    row("attack", "from", "idle p99", "p99", "worst", "failed", "memory", "aims", "answers"),
    ...measured.map(formatMeasured),
    "",
    ...[...new Set(measured.map(({ attack }) => attack))].map(
      (name) => `${name.padEnd(20)}${attacks[name]?.description}`,
    ),
  ].join("\n");
}

export function formatMeasured({ attack, mode, tally, idle, attacked }: Measured): string {
  const growth = attacked.peak - idle.resident;
  const isMet = attacked.worst - idle.p99 <= aims.delay && !(growth > aims.memory) && attacked.failures === 0;
  const answers = Object.entries(tally).map(([status, times]) => `${times} × ${status}`);
  return row(
    attack,
    mode,
    ...[idle.p99, attacked.p99, attacked.worst].map((ms) => ms.toFixed(ms < 100 ? 1 : 0)),
    String(attacked.failures),
    Number.isNaN(growth) ? "" : `${growth < 0 ? "" : "+"}${growth.toFixed(0)}`,
    isMet ? "met" : "missed",
    answers.join(", "),
  );
}

function row(name: string, from: string, ...cells: string[]): string {
  const last = cells.pop() ?? "";
  return `${name.padEnd(20)}${from.padEnd(6)}${cells.map((cell) => cell.padStart(9)).join("")}   ${last}`.trimEnd();
}
