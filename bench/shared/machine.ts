import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { cpus, loadavg, totalmem } from "node:os";

/** Describes the machine, as far as a reader needs it to judge the numbers. */
export function describeMachine() {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadOfLastMinutes: loadavg().map((load) => Number(load.toFixed(1))),
    node: process.version,
    ponder: ponderVersion(),
  };
}

/** Formats the machine's description in one line. */
export function formatMachine(machine: ReturnType<typeof describeMachine>): string {
  const { cores, processor, memoryGiB, loadOfLastMinutes, node, ponder } = machine;
  return `${cores} × ${processor}, ${memoryGiB} GiB, load ${loadOfLastMinutes.join(" ")}, Node ${node}, Ponder ${ponder}`;
}

function ponderVersion(): string {
  const file = findPackageJSON("ponder", import.meta.url);
  return file === undefined
    ? "unknown"
    : (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
