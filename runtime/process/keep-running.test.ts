import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartError } from "../start-error.ts";
import { type KeepRunningOptions, keepRunning, startChild } from "./child-process.ts";

const reaper = { add: () => {}, remove: () => {} };
let folder: string;
let stopping: AbortController;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "keep-running-"));
  stopping = new AbortController();
  lines = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a shell script, which may count its starts in the file `starts`. */
function keep(script: string, options: Partial<KeepRunningOptions> = {}) {
  return keepRunning({
    name: "indexer",
    start: () => startChild("/bin/sh", ["-c", script], { cwd: folder }, reaper),
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 10,
    ...options,
  });
}

/** The complete lines: the file exists before its first line is written. */
const starts = async () =>
  (await readFile(path.join(folder, "starts"), "utf8").catch(() => "")).split("\n").length - 1;

test("a program that exits with a temporary failure is restarted, until it exits otherwise", async () => {
  const running = keep("echo x >> starts; [ $(wc -l < starts) -lt 3 ] && exit 75; echo done for; exit 7");
  expect(await running.exited).toEqual({ code: 7, signal: null });
  expect(await starts()).toBe(3);
  expect(lines).toEqual([
    "indexer can't continue for now and is restarted in 0.01 s",
    "indexer can't continue for now and is restarted in 0.02 s",
  ]);
  expect(running.lastLines?.()).toEqual(["done for"]);
});

test("requests and blocks don't push out the lines that explain an end", async () => {
  const request = '{"level":"info","msg":"Request"}';
  const running = keep(
    `echo '{"level":40,"msg":"Slow"}'; echo why; for i in $(seq 30); do echo '${request}'; done; exit 7`,
  );
  await running.exited;
  expect(running.lastLines?.()).toEqual(["Slow", "why"]);
});

test("while a program is away, something else stands in, from before it is prepared", async () => {
  const events: string[] = [];
  let isPrepared = false;
  const running = keep(
    "echo x >> starts; [ $(wc -l < starts) -lt 2 ] && exit 75; [ -e standing-in ] && exit 7; exit 8",
    {
      async prepare() {
        events.push("prepare");
        if (!isPrepared) throw new Error("the database is away");
      },
      async standIn() {
        events.push("stand in");
        await writeFile(path.join(folder, "standing-in"), "");
      },
    },
  );
  await expect.poll(() => events).toEqual(["stand in", "prepare"]);
  isPrepared = true;
  expect(await running.exited).toEqual({ code: 7, signal: null });
  expect(events).toEqual(["stand in", "prepare", "prepare"]);
});

test("a program that exits otherwise is not restarted", async () => {
  expect(await keep("echo x >> starts; exit 1").exited).toEqual({ code: 1, signal: null });
  expect(await starts()).toBe(1);
});

test("prepare is retried each second until it succeeds, however long the pause, and the log says why, once", async () => {
  const attempts: number[] = [];
  const running = keepRunning({
    name: "indexer",
    start: () =>
      startChild(
        "/bin/sh",
        ["-c", "echo x >> starts; [ $(wc -l < starts) -gt 1 ] || exit 75"],
        { cwd: folder },
        reaper,
      ),
    prepare: async () => {
      attempts.push(performance.now());
      if (attempts.length < 6)
        throw new Error(attempts.length < 4 ? "it is away" : "it refuses the password");
    },
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 1,
  });
  expect(await running.exited).toEqual({ code: 0, signal: null });
  expect([attempts.length, await starts()]).toEqual([6, 2]);
  expect(lines.slice(1)).toEqual(["indexer waits: it is away", "indexer waits: it refuses the password"]);
  // Were the pauses doubled, the shortest would be half of the one after it.
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(900);
});

test("a prepare that can never succeed is final, and the log has the reason", async () => {
  const running = keepRunning({
    name: "indexer",
    start: () => startChild("/bin/sh", ["-c", "echo x >> starts; exit 75"], { cwd: folder }, reaper),
    prepare: async () => {
      throw new StartError("another one runs", { code: "in-use" });
    },
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 1,
  });
  expect(await running.exited).toEqual({ code: 75, signal: null });
  expect([await starts(), lines.at(-1)]).toEqual([1, "indexer can't be restarted: another one runs"]);
});

test("restart kills the program and starts it again", async () => {
  const running = keep(
    "echo x >> starts; [ $(wc -l < starts) -gt 1 ] && exit 3; while :; do sleep 0.05; done",
  );
  await expect.poll(starts).toBe(1);
  running.restart();
  expect(await running.exited).toEqual({ code: 3, signal: null });
  expect(await starts()).toBe(2);
});

test("a restart that is requested during the pause doesn't cause another one", async () => {
  const running = keepRunning({
    name: "indexer",
    start: () =>
      startChild(
        "/bin/sh",
        ["-c", "echo x >> starts; [ $(wc -l < starts) -gt 1 ] && exit 3; exit 75"],
        { cwd: folder },
        reaper,
      ),
    prepare: async () => running.restart(),
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 1,
  });
  expect(await running.exited).toEqual({ code: 3, signal: null });
  expect(await starts()).toBe(2);
});

test("stop is final, even if the program then exits with a temporary failure", async () => {
  const running = keep("trap 'exit 75' TERM; echo x >> starts; while :; do sleep 0.05; done");
  await expect.poll(starts).toBe(1);
  await running.stop();
  expect(await running.exited).toEqual({ code: 75, signal: null });
  expect(await starts()).toBe(1);
});

test("stop during the pause ends it without another start", async () => {
  const running = keepRunning({
    name: "indexer",
    start: () => startChild("/bin/sh", ["-c", "echo x >> starts; exit 75"], { cwd: folder }, reaper),
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 60_000,
  });
  await expect.poll(() => lines.length).toBe(1);
  stopping.abort();
  expect(await running.exited).toEqual({ code: 75, signal: null });
  expect(await starts()).toBe(1);
});

test("a program that can't be started for want of file descriptors has exited, and says why", async () => {
  const program = path.join(folder, "program.mjs");
  const module = new URL("child-process.ts", import.meta.url).href;
  await writeFile(
    program,
    `import { closeSync, openSync } from "node:fs";
     import { startChild } from ${JSON.stringify(module)};
     const open = [];
     try { for (;;) open.push(openSync("/dev/null")); } catch {}
     const child = startChild("/bin/true", [], {});
     for (const file of open) closeSync(file);
     const { code } = await child.exited;
     // Whatever nobody waits for has failed by then.
     await new Promise((resolve) => setImmediate(resolve));
     console.log(JSON.stringify([code, child.lastLines()]));`,
  );
  const shell = `ulimit -n 64 && exec "${process.execPath}" "${program}"`;
  const child = startChild("/bin/sh", ["-c", shell], { cwd: folder }, reaper);
  expect([await child.exited, child.lastLines()]).toEqual([
    { code: 0, signal: null },
    [JSON.stringify([127, ["cannot run /bin/true: spawn /bin/true EMFILE"]])],
  ]);
});

test("a program that can't be started at all has exited, and says why", async () => {
  // Longer than an argument may be, for which Node throws, as it does without memory.
  const child = startChild("/bin/true", ["x".repeat(1_000_000)], { hasChannel: true });
  expect(await child.exited).toEqual({ code: 127, signal: null });
  expect(child.lastLines()).toEqual(["cannot run /bin/true: spawn E2BIG"]);
  await child.stop();
});
