import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { groupIsAlive, processIdentity, processIsAlive } from "./process-identity.ts";

test("a process is alive under its own identity only", () => {
  const identity = processIdentity(process.pid);
  expect(identity).toBe(processIdentity(process.pid));
  expect(processIsAlive(process.pid)).toBe(true);
  expect(processIsAlive(process.pid, identity)).toBe(true);
  expect(processIsAlive(process.pid, "another boot:1")).toBe(false);
});

test("a process that ended is not alive", async () => {
  const child = spawn("true");
  await once(child, "exit");
  expect(processIdentity(child.pid as number)).toBeUndefined();
});

test("a group is alive until the last of its processes has ended, in whatever order they end", async () => {
  const leader = spawn("sh", ["-c", "sleep 60 & echo $!; sleep 60 & echo $!; wait"], { detached: true });
  const group = leader.pid as number;
  const members = [group];
  for await (const line of createInterface({ input: leader.stdout })) {
    if (members.push(Number(line)) === 3) break;
  }
  for (const member of members) {
    expect(groupIsAlive(group)).toBe(true);
    process.kill(member, "SIGKILL");
    await expect.poll(() => processIsAlive(member)).toBe(false);
  }
  expect(groupIsAlive(group)).toBe(false);
});
