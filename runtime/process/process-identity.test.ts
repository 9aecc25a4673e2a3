import { execFileSync, spawn } from "node:child_process";
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

test("where ps tells when a process began, its identity is the same in every time zone, as before and after a change of the clocks", () => {
  const program = `
    Object.defineProperty(process, "platform", { value: "darwin" });
    const { processIdentity } = await import(${JSON.stringify(new URL("process-identity.ts", import.meta.url))});
    console.log(processIdentity(${process.pid}));`;
  const seenIn = (TZ: string) =>
    execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, TZ },
    });
  expect(seenIn("ABC-7")).toMatch(/ \d\d:\d\d:\d\d /);
  expect(seenIn("ABC-7")).toBe(seenIn("DEF5"));
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
