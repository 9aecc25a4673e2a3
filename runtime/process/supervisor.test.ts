import { expect, type TestContext, test } from "vitest";
import { type Program, runCommand, survivorsOf } from "../../test/service/program.ts";
import { runService, serviceScript } from "./fixtures/run-service.ts";
import { groupIsAlive } from "./process-identity.ts";

// Most of these tests wait for a time limit to pass, so they run concurrently.
const together = test.concurrent;

async function start(onTestFinished: TestContext["onTestFinished"], ...parts: string[]): Promise<Program> {
  const service = runService(parts);
  onTestFinished(() => void service.kill("SIGKILL"));
  return service;
}

together.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s stops every part and its children",
  async (signal, { onTestFinished }) => {
    const running = await start(onTestFinished, "family", "family");
    await running.untilOutput("ready");
    // Two shells, their two children, and the reaper. A shell starts a moment before its child.
    await expect.poll(() => running.descendants()).toHaveLength(5);
    const pids = running.descendants();

    running.kill(signal);

    expect(await running.exited).toBe(0);
    expect(running.output()).toContain(`log ${signal}: stopping`);
    expect(running.output()).toContain("exit callback 0");
    expect(await survivorsOf(pids, 0)).toEqual([]);
  },
);

together(
  "parts that ignore signals are killed after 5 s, all at the same time",
  async ({ onTestFinished }) => {
    const running = await start(onTestFinished, "family", "stubborn", "stubborn", "stubborn");
    await running.untilOutput("ready");
    const pids = running.descendants();

    const began = performance.now();
    running.kill("SIGINT");
    // npm forwards Ctrl-C a second time at once, which must not count as the user's second one.
    running.kill("SIGINT");

    expect(await running.exited).toBe(0);
    // One after the other they would take 15 s.
    expect(performance.now() - began).toBeLessThan(14_000);
    expect(await survivorsOf(pids, 0)).toEqual([]);
  },
);

together("a second signal ends everything at once", async ({ onTestFinished }) => {
  const running = await start(onTestFinished, "stubborn");
  await running.untilOutput("ready");
  const pids = running.descendants();

  running.kill("SIGINT");
  await running.untilOutput("SIGINT: stopping");
  const again = setInterval(() => running.kill("SIGINT"), 100);

  // An ordinary stop would give it 5 s, and exit with 0.
  expect(await running.exited).toBe(130);
  clearInterval(again);
  expect(await survivorsOf(pids, 30_000)).toEqual([]);
});

together(
  "the crash of one part stops the others and says which, how, and its last words",
  async ({ onTestFinished }) => {
    const running = await start(onTestFinished, "family", "crashing", "endless");

    expect(await running.exited).toBe(1);
    expect(running.output()).toContain("log crashing ended unexpectedly (exit code 7): stopping the rest");
    expect(running.output()).toContain("log   crashing | first words");
    expect(running.output()).toContain("log   crashing | last words");
    expect(groupIsAlive(Number(running.outputAfter("pid family")))).toBe(false);
  },
);

together("a part killed from outside is named with its signal", async ({ onTestFinished }) => {
  const running = await start(onTestFinished, "stubborn", "family");
  await running.untilOutput("ready");
  const pids = running.descendants();

  process.kill(Number(running.outputAfter("pid stubborn")), "SIGKILL");

  expect(await running.exited).toBe(1);
  expect(running.output()).toContain("stubborn ended unexpectedly (signal SIGKILL)");
  expect(await survivorsOf(pids, 0)).toEqual([]);
});

together("a program that does not exist is a crash", async ({ onTestFinished }) => {
  const running = await start(onTestFinished, "family", "missing");

  expect(await running.exited).toBe(1);
  expect(running.output()).toContain("missing ended unexpectedly (exit code 127)");
  expect(running.output()).toContain("cannot run /no/such/program");
});

together("a start that fails stops what it had started", async ({ onTestFinished }) => {
  const running = await start(onTestFinished, "family", "failing");

  expect(await running.exited).toBe(1);
  expect(running.output()).toContain("a start that fails");
  expect(groupIsAlive(Number(running.outputAfter("pid family")))).toBe(false);
});

together("a signal in the middle of the start stops everything", async ({ onTestFinished }) => {
  const running = await start(onTestFinished, "family", "endless");
  await running.untilOutput("starting endless");
  const pids = running.descendants();

  running.kill("SIGTERM");

  expect(await running.exited).toBe(0);
  expect(await survivorsOf(pids, 0)).toEqual([]);
});

together.for([
  [
    "its disk is full",
    () => {
      const command = 'exec "$0" --no-warnings "$1" > /dev/full';
      const env = { PARTS: "family,family" };
      return runCommand("/bin/sh", ["-c", command, process.execPath, serviceScript], { env });
    },
  ],
  [
    "its reader is gone",
    () => {
      const service = runService(["family", "family"]);
      service.closeOutput();
      return service;
    },
  ],
] as const)("a service goes on without its log when %s", async ([, run], { onTestFinished }) => {
  const running = run();
  onTestFinished(() => void running.kill("SIGKILL"));
  await expect.poll(() => running.descendants()).toHaveLength(5);
  const pids = running.descendants();

  running.kill("SIGTERM");

  expect(await running.exited).toBe(0);
  expect(await survivorsOf(pids, 0)).toEqual([]);
});

together("kill -9 leaves no process behind, however stubborn", async ({ onTestFinished }) => {
  const running = await start(onTestFinished, "family", "stubborn");
  await running.untilOutput("ready");
  const pids = running.descendants();

  running.kill("SIGKILL");

  await running.exited;
  expect(await survivorsOf(pids, 30_000)).toEqual([]);
});
