import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { processIdentity, processIsAlive } from "./process-identity.ts";

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
