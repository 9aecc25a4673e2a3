import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../config/env.ts";
import { onchainSchema } from "../api/seed/ponder-tables.ts";
import type { Processes } from "../index/processes.ts";

const program = fileURLToPath(new URL("../../lake/command/lake.ts", import.meta.url));

export type Exported = {
  tables: string;
  files: number;
  rows: number;
  bytes: number;
  seconds: number;
  peakMiB: number;
};

type Entry = { table: string; path: string | null; rows: number; bytes: number };

/** Runs the export into a folder as a user would, and measures it. */
export async function runExport(
  processes: Processes,
  { databaseUrl, folder, tables }: { databaseUrl: string; folder: string; tables: string },
): Promise<Exported> {
  const startedAt = performance.now();
  const child = processes.start(
    process.execPath,
    ["--no-warnings", program, "--to", folder, "--tables", tables],
    {
      env: childEnvironment({ DATABASE_URL: databaseUrl, DATABASE_SCHEMA: onchainSchema }),
    },
  );
  let peakMiB = 0;
  let hasEnded = false;
  const ended = child.exited.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    peakMiB = Math.max(peakMiB, await readPeakMemory(child.pid));
    await Promise.race([ended, pause(200)]);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { code } = await ended;
  if (code !== 0) throw new Error(["the export failed:", ...child.lastLines()].join("\n  "));
  const files = (await readManifest(folder)).filter(({ table }) => tables.split(",").includes(table));
  return {
    tables,
    files: files.filter((file) => file.path !== null).length,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds,
    peakMiB,
  };
}

async function readManifest(folder: string): Promise<Entry[]> {
  return (JSON.parse(await readFile(path.join(folder, "manifest.json"), "utf8")) as { files: Entry[] }).files;
}

/** The peak resident memory, in MiB. Linux only; elsewhere 0. */
async function readPeakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}
