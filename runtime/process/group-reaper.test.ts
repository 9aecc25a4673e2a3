import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { waitUntil } from "../../config/async.ts";
import { startGroupReaper } from "./group-reaper.ts";
import { processIsAlive, signalGroup } from "./process-identity.ts";

function startSleeper() {
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  return { pid: child.pid as number, exited: once(child, "exit") as Promise<[number | null, string | null]> };
}

test("a group on the reaper is ended with its own signal; a group that was removed keeps running", async () => {
  const reaper = startGroupReaper();
  const [interrupted, terminated, kept] = [startSleeper(), startSleeper(), startSleeper()];
  reaper.add(interrupted.pid, "SIGINT");
  reaper.add(kept.pid, "SIGTERM");
  reaper.add(terminated.pid, "SIGTERM");
  reaper.remove(kept.pid);

  await reaper.close();

  expect(await interrupted.exited).toEqual([null, "SIGINT"]);
  expect(await terminated.exited).toEqual([null, "SIGTERM"]);
  expect(processIsAlive(kept.pid)).toBe(true);
  signalGroup(kept.pid, "SIGKILL");
  await kept.exited;
});

test("an empty reaper ends when it is closed", async () => {
  const reaper = startGroupReaper();
  await reaper.close();
  expect(await waitUntil(() => !processIsAlive(reaper.pid), { forMs: 0 })).toBe(true);
});

test("a killed reaper does no harm", async () => {
  const reaper = startGroupReaper();
  process.kill(reaper.pid, "SIGKILL");
  expect(await waitUntil(() => !processIsAlive(reaper.pid), { forMs: 30_000 })).toBe(true);
  reaper.add(1_000_000_000, "SIGTERM");
  await reaper.close();
});
