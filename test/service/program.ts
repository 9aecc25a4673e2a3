import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { waitUntil } from "../../config/async.ts";
import { processIsAlive } from "../../runtime/process/process-identity.ts";
import { programEnvironment } from "./program-environment.ts";

export type Program = ReturnType<typeof runProgram>;

export type ProgramOptions = {
  cwd?: string;
  /** Arguments of a script. */
  args?: string[];
  /** The whole environment, beside PATH and HOME. */
  env?: Record<string, string | undefined>;
  /** Another user to run it as, which only root can do. */
  uid?: number;
};

/** Runs one of our scripts with Node in a new process. */
export function runProgram(script: string, options: ProgramOptions = {}) {
  return runCommand(process.execPath, ["--no-warnings", script, ...(options.args ?? [])], options);
}

/** Runs any command in a new process, as a user's shell would. */
export function runCommand(command: string, args: string[], { cwd, env, uid }: ProgramOptions = {}) {
  const child: ChildProcess = spawn(command, args, {
    cwd,
    uid,
    env: { ...programEnvironment(), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const pid = child.pid ?? -1;
  const exited = once(child, "close").then(([code]) => code as number | null);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (data) => {
      output += data;
    });
  }
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });

  return {
    pid,
    /** The exit code, or null after a signal. */
    exited,
    hasExited: () => hasExited,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    output: () => output,
    /** Stops reading its output, which makes its next write fail. */
    closeOutput() {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    },
    /** The output without the times and levels of its lines. */
    messages: () => output.replaceAll(/^\d{4}-\S+Z [A-Z]+ +/gm, ""),
    /** The pids of all descendants of the process. */
    descendants: () => descendantsOf(pid),
    /** The rest of the output line that begins with `name`. */
    outputAfter(name: string): string {
      const line = output
        .split("\n")
        .map((text) => text.trim())
        .find((text) => text.startsWith(`${name} `));
      if (line === undefined) throw new Error(`no line "${name} ..." in:\n${output}`);
      return line.slice(name.length + 1).trim();
    },
    /** Resolves once the output contains the text. Throws if the program ends without it. */
    async untilOutput(text: string, timeoutMs = 300_000): Promise<void> {
      await waitUntil(() => output.includes(text) || hasExited, { forMs: timeoutMs });
      if (!output.includes(text)) throw new Error(`never saw "${text}" in:\n${output.slice(-3_000)}`);
    },
  };
}

/** Returns those of these processes that still run, after giving them up to `timeoutMs` to end. */
export async function survivorsOf(pids: number[], timeoutMs: number): Promise<number[]> {
  const alive = () => pids.filter((pid) => processIsAlive(pid));
  await waitUntil(() => alive().length === 0, { forMs: timeoutMs });
  return alive();
}

/** The command line of a running process, or an empty string. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The pids of all descendants of a process. */
export function descendantsOf(root: number): number[] {
  const pairs = process.platform === "linux" ? parentsFromProc() : parentsFromPs();
  const found = [root];
  for (const parent of found) {
    for (const [pid, ppid] of pairs) if (ppid === parent) found.push(pid);
  }
  return found.slice(1);
}

function parentsFromProc(): [number, number][] {
  return readdirSync("/proc").flatMap((name): [number, number][] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      return [
        [
          Number(name),
          Number(
            stat
              .slice(stat.lastIndexOf(")") + 1)
              .trim()
              .split(" ")[1],
          ),
        ],
      ];
    } catch {
      return [];
    }
  });
}

function parentsFromPs(): [number, number][] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
}
