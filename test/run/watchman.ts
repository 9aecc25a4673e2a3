import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Reads numbered shell commands, of which the last one for each number counts, and runs them at the end of its input. */
const script = `
while read -r id line; do eval "line_$id=\\$line"; ids="$ids $id"; done
for id in $ids; do eval "eval \\"\\$line_$id\\"" & eval "line_$id=:"; done
wait`;

let watchman: ChildProcess | undefined;
let lastId = 0;

/**
 * Runs a shell command with `$1`, `$2`… once this process has ended, whatever the signal, because its end of a pipe closes then. An
 * "exit" listener isn't called after a SIGKILL or an unhandled SIGTERM. `dismiss` cancels the command.
 */
export function runAfterExit(command: string, ...args: string[]): { dismiss(): void } {
  // One watchman for all commands, since starting a program from a process as large as this takes a while.
  watchman ??= startWatchman();
  const { stdin } = watchman;
  const id = ++lastId;
  stdin?.write(`${id} set -- ${args.map(quoted).join(" ")}; ${command}\n`);
  return { dismiss: () => void stdin?.write(`${id} :\n`) };
}

function startWatchman(): ChildProcess {
  const child = spawn("sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    // Otherwise a Ctrl-C in the terminal would end it too soon.
    detached: true,
  });
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
