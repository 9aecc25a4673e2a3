import { readFileSync } from "node:fs";
import { cpuUsage } from "node:process";

/** The seconds of processor time that this process has used, with all its threads. */
export function ownProcessorTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

/** The seconds of processor time of all child processes that have ended, in hundredths. Linux only. */
export function childrensProcessorTime(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The fields after the name in parentheses. In proc(5), fields 16 and 17 are the children's user and system time.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
