import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { waitUntil } from "../../config/async.ts";
import { codeOf } from "../../config/error-code.ts";
import { bareEnvironment } from "../../config/process-environment.ts";

const isLinux = process.platform === "linux";

/**
 * A string that differs for every process that ever had this pid, so that a recycled pid is not mistaken for the earlier
 * process. Undefined if there is no such process, or only a zombie; "unknown" if it belongs to another user and the system
 * hides it.
 */
export function processIdentity(pid: number): string | undefined {
  if (!isSignalable(pid)) return undefined;
  if (!isLinux) return run("ps", ["-o", "lstart=", "-p", String(pid)]) ?? "unknown";
  const stat = readStat(pid);
  if (stat === undefined) return isSignalable(pid) ? "unknown" : undefined;
  return stat.state === "Z" ? undefined : `${bootId()}:${stat.startTime}`;
}

/** Whether a process with this pid is running and, if an identity is given, is still the same process. */
export function processIsAlive(pid: number, identity?: string): boolean {
  const current = processIdentity(pid);
  if (current === undefined) return false;
  return identity === undefined || current === "unknown" || current === identity;
}

/** The member of each group that was found last. All processes are scanned again only once that one is gone. */
const lastFound = new Map<number, number>();

/** Whether a process group has a member that is not a zombie. */
export function groupIsAlive(group: number): boolean {
  const member = isSignalable(-group) ? findMember(group) : undefined;
  if (member === undefined) lastFound.delete(group);
  else lastFound.set(group, member);
  return member !== undefined;
}

function findMember(group: number): number | undefined {
  if (!isLinux) return group;
  const isMember = (pid: number | undefined) => {
    const stat = pid === undefined ? undefined : readStat(pid);
    return stat?.group === group && stat.state !== "Z";
  };
  const cached = lastFound.get(group);
  if (isMember(cached)) return cached;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find(isMember);
}

/** The program and arguments of a process as one string, or undefined if it is gone. */
export function processCommand(pid: number): string | undefined {
  if (!isLinux) return run("ps", ["-o", "command=", "-p", String(pid)]);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return undefined;
  }
}

function isSignalable(target: number): boolean {
  try {
    process.kill(target, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

type Stat = { state: string; group: number; startTime: string };

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", group: Number(fields[2]), startTime: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

let knownBootId: string | undefined;

function bootId(): string {
  try {
    knownBootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return knownBootId;
  } catch {
    return "";
  }
}

function run(command: string, args: string[]): string | undefined {
  try {
    // The start of a process would be another text in another language or time zone, as after a change of the clocks.
    const env = bareEnvironment({ LC_ALL: "C", TZ: "UTC" });
    return (
      execFileSync(command, args, { encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"] }).trim() ||
      undefined
    );
  } catch {
    return undefined;
  }
}

const AFTER_KILL_MS = 1_000;

/** Sends a signal to a process group. Does nothing if the group is gone. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // The group is gone.
  }
}

/** Ends a whole process group with the given signal, then with SIGKILL after `timeoutMs`. */
export async function stopGroup(group: number, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  const isGone = () => !groupIsAlive(group);
  if (isGone()) return;
  signalGroup(group, signal);
  if (await waitUntil(isGone, { forMs: timeoutMs })) return;
  signalGroup(group, "SIGKILL");
  await waitUntil(isGone, { forMs: AFTER_KILL_MS });
}
