import { spawn } from "node:child_process";
import { once } from "node:events";
import { ignore } from "../../config/async.ts";

/** Process groups that must not outlive this process, each with the signal that ends it cleanly. */
export type GroupReaper = {
  add(group: number, signal: "SIGINT" | "SIGTERM"): void;
  remove(group: number): void;
};

export type GroupReaperProcess = GroupReaper & {
  pid: number;
  /** Closes the reaper. Groups that are still on it are ended as if this process had died. */
  close(): Promise<void>;
};

/**
 * Even a process that is killed with SIGKILL closes its pipes. So when the reaper's standard input ends, it sends each
 * remaining group its signal and, 5 s later, SIGKILL.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=
drop() {
  kept=
  for entry in $groups; do
    [ "\${entry%:*}" = "$1" ] || kept="$kept $entry"
  done
  groups=$kept
}
while read -r action group signal; do
  drop "$group"
  [ "$action" = add ] && groups="$groups $group:$signal"
done
for entry in $groups; do
  kill -s "\${entry#*:}" -- "-\${entry%:*}" 2>/dev/null
done
tries=0
while [ $tries -lt 50 ]; do
  for entry in $groups; do
    kill -s 0 -- "-\${entry%:*}" 2>/dev/null || drop "\${entry%:*}"
  done
  [ -z "\${groups# }" ] && exit 0
  tries=$((tries + 1))
  sleep 0.1 2>/dev/null || sleep 1
done
for entry in $groups; do
  kill -s KILL -- "-\${entry%:*}" 2>/dev/null
done
`;

/** Starts the reaper, a small shell process in its own session. */
export function startGroupReaper(): GroupReaperProcess {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "reaper"], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // If the reaper is killed, the service continues without it.
  child.on("error", ignore);
  child.stdin.on("error", ignore);
  child.unref();

  return {
    pid: child.pid ?? -1,
    add: (group, signal) => void child.stdin.write(`add ${group} ${signal.slice("SIG".length)}\n`),
    remove: (group) => void child.stdin.write(`remove ${group}\n`),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      child.ref();
      const exited = once(child, "exit");
      child.stdin.end();
      await exited;
    },
  };
}
