import { spawn } from "node:child_process";

/**
 * Runs a line of shell with `$1`, `$2`… when this process is gone, by whatever signal: its end of the pipe closes then. A listener
 * for "exit" would hear nothing of a SIGKILL, nor of a SIGTERM that nobody handles. `dismiss` calls it off.
 */
export function whenWeAreGone(command: string, ...args: string[]): { dismiss(): void } {
  const watchman = spawn("sh", ["-c", `read -r _; ${command}`, "watchman", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    // Out of reach of a Ctrl-C in the terminal, which would end it before its work.
    detached: true,
  });
  watchman.unref();
  return { dismiss: () => void watchman.kill("SIGKILL") };
}
