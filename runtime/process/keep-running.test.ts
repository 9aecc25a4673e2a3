import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startChild } from "./child-process.ts";
import { keepRunning } from "./keep-running.ts";

const leash = { add: () => {}, remove: () => {} };
let folder: string;
let stopping: AbortController;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "keep-running-"));
  stopping = new AbortController();
  lines = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a shell script that may count its own starts in the file `starts`. */
function keep(script: string) {
  return keepRunning({
    name: "indexer",
    start: () => startChild("/bin/sh", ["-c", script], { cwd: folder }, leash),
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 10,
  });
}

/** Whole lines: the file is there, and empty, a moment before the first of them. */
const starts = async () => (await readFile(path.join(folder, "starts"), "utf8")).split("\n").length - 1;

test("a program that asks for it is started again, until it ends in another way", async () => {
  const running = keep("echo x >> starts; [ $(wc -l < starts) -lt 3 ] && exit 75; echo done for; exit 7");
  expect(await running.exited).toEqual({ code: 7, signal: null });
  expect(await starts()).toBe(3);
  expect(lines).toEqual([
    "indexer can't continue for now and is restarted in 0.01 s",
    "indexer can't continue for now and is restarted in 0.02 s",
  ]);
  expect(running.lastLines?.()).toEqual(["done for"]);
});

test("a program that ends in another way is not started again", async () => {
  expect(await keep("echo x >> starts; exit 1").exited).toEqual({ code: 1, signal: null });
  expect(await starts()).toBe(1);
});

test("what has to be done before a start is tried until it succeeds", async () => {
  let tries = 0;
  const running = keepRunning({
    name: "indexer",
    start: () =>
      startChild(
        "/bin/sh",
        ["-c", "echo x >> starts; [ $(wc -l < starts) -gt 1 ] || exit 75"],
        { cwd: folder },
        leash,
      ),
    prepare: async () => {
      if (++tries < 3) throw new Error("not yet");
    },
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 1,
  });
  expect(await running.exited).toEqual({ code: 0, signal: null });
  expect([tries, await starts()]).toEqual([3, 2]);
});

test("a restart kills it and starts it again", async () => {
  const running = keep(
    "echo x >> starts; [ $(wc -l < starts) -gt 1 ] && exit 3; while :; do sleep 0.05; done",
  );
  await expect.poll(() => starts().catch(() => 0)).toBe(1);
  running.restart();
  expect(await running.exited).toEqual({ code: 3, signal: null });
  expect(await starts()).toBe(2);
});

test("a stop ends it for good, even if it then asks to be started again", async () => {
  const running = keep("trap 'exit 75' TERM; echo x >> starts; while :; do sleep 0.05; done");
  await expect.poll(() => starts().catch(() => 0)).toBe(1);
  await running.stop();
  expect(await running.exited).toEqual({ code: 75, signal: null });
  expect(await starts()).toBe(1);
});

test("a stop in a pause ends it without another start", async () => {
  const running = keepRunning({
    name: "indexer",
    start: () => startChild("/bin/sh", ["-c", "echo x >> starts; exit 75"], { cwd: folder }, leash),
    signal: stopping.signal,
    log: (line) => lines.push(line),
    firstPauseMs: 60_000,
  });
  await expect.poll(() => lines.length).toBe(1);
  stopping.abort();
  expect(await running.exited).toEqual({ code: 75, signal: null });
  expect(await starts()).toBe(1);
});
