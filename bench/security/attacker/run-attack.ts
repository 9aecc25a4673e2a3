import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Processes } from "../../index/processes.ts";
import type { AttackJob, Tally } from "./job.ts";

const program = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Runs an attack in a separate process. */
export async function runAttack(processes: Processes, job: AttackJob, onBegin: () => void): Promise<Tally> {
  const file = path.join(tmpdir(), `launchpad-bench-attack-${process.pid}.json`);
  await writeFile(file, JSON.stringify(job));
  try {
    let tally: Tally | undefined;
    const child = processes.start(process.execPath, [program, file], {
      onLine(line) {
        if (line === "begun") onBegin();
        if (line.startsWith("{")) tally = JSON.parse(line) as Tally;
      },
    });
    const { code } = await child.exited;
    if (code !== 0 || tally === undefined) {
      throw new Error([`the attack ${job.attack} failed`, ...child.lastLines()].join("\n  "));
    }
    return tally;
  } finally {
    await rm(file, { force: true });
  }
}
