import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Reads numbered lines of shell, of which the last of a number counts, and runs them once nothing more can come. */
const script = `
while read -r id line; do eval "line_$id=\\$line"; ids="$ids $id"; done
for id in $ids; do eval "eval \\"\\$line_$id\\"" & eval "line_$id=:"; done
wait`;

let watchman: ChildProcess | undefined;
let lastId = 0;

/**
 * Runs a line of shell with `$1`, `$2`… when this process is gone, by whatever signal: its end of a pipe closes then. A listener
 * for "exit" would hear nothing of a SIGKILL, nor of a SIGTERM that nobody handles. `dismiss` calls it off.
 */
export function whenWeAreGone(command: string, ...args: string[]): { dismiss(): void } {
  // One for all, since this process is large, and each program that it starts costs it a while.
  watchman ??= startWatchman();
  const { stdin } = watchman;
  const id = ++lastId;
  stdin?.write(`${id} set -- ${args.map(quoted).join(" ")}; ${command}\n`);
  return { dismiss: () => void stdin?.write(`${id} :\n`) };
}

function startWatchman(): ChildProcess {
  const child = spawn("sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    // Out of reach of a Ctrl-C in the terminal, which would end it before its work.
    detached: true,
  });
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
