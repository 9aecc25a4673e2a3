import { readFileSync } from "node:fs";
import { cpuUsage } from "node:process";

/** Seconds of processor time that this process and all its threads have used. */
export function ownProcessorTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

/** Seconds of processor time of all child processes that have ended, to a hundredth. Linux only. */
export function childrensProcessorTime(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // After the name in parentheses; proc(5) has user and system time of children as its 16th and 17th field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
