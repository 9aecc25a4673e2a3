import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startLeash } from "./leash.ts";
import { processIsAlive, signalGroup, waitUntil } from "./process-identity.ts";

function startSleeper() {
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  return { pid: child.pid as number, exited: once(child, "exit") as Promise<[number | null, string | null]> };
}

test("a group on the leash is ended with its own signal; a group that was removed keeps running", async () => {
  const leash = startLeash();
  const [interrupted, terminated, kept] = [startSleeper(), startSleeper(), startSleeper()];
  leash.add(interrupted.pid, "SIGINT");
  leash.add(kept.pid, "SIGTERM");
  leash.add(terminated.pid, "SIGTERM");
  leash.remove(kept.pid);

  await leash.close();

  expect(await interrupted.exited).toEqual([null, "SIGINT"]);
  expect(await terminated.exited).toEqual([null, "SIGTERM"]);
  expect(processIsAlive(kept.pid)).toBe(true);
  signalGroup(kept.pid, "SIGKILL");
  await kept.exited;
});

test("an empty leash ends when it is closed", async () => {
  const leash = startLeash();
  await leash.close();
  expect(await waitUntil(() => !processIsAlive(leash.pid), 0)).toBe(true);
});

test("a killed leash does no harm", async () => {
  const leash = startLeash();
  process.kill(leash.pid, "SIGKILL");
  expect(await waitUntil(() => !processIsAlive(leash.pid), 30_000)).toBe(true);
  leash.add(1_000_000_000, "SIGTERM");
  await leash.close();
});
