import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parsePattern } from "./pattern.ts";
import {
  createSaltPool,
  PoolBusyError,
  PoolClosedError,
  type SaltPoolOptions,
  shareOut,
  WorkerCrashError,
} from "./pool.ts";

const patience = { timeout: 30_000 };

const taskFor = (suffix: string) => ({
  deployer: `0x${"11".repeat(20)}`,
  initCodeHash: `0x${"22".repeat(32)}`,
  pattern: parsePattern({ suffix }),
});
const easy = taskFor("5a");
/** Takes longer than the age of the universe. */
const hopeless = taskFor("0".repeat(40));
const broken = { ...easy, deployer: "0x" };

const opened: ReturnType<typeof createSaltPool>[] = [];
function open(options: SaltPoolOptions) {
  // A nice worker would wait long for the processor while other tests run.
  const pool = createSaltPool({ niceness: 0, ...options });
  opened.push(pool);
  return pool;
}

afterEach(async () => {
  for (const pool of opened.splice(0)) await pool.close();
});

/** Starts an endless search. The promise is for its failure. */
function occupy(pool: ReturnType<typeof createSaltPool>) {
  const controller = new AbortController();
  const failure = pool.search(hopeless, controller).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failure, abort: () => controller.abort(new Error("hung up")) };
}

async function untilIdle(pool: ReturnType<typeof createSaltPool>) {
  await expect
    .poll(async () => {
      const before = pool.tried();
      await delay(30);
      return pool.tried() - before;
    }, patience)
    .toBe(0);
}

describe("sharing", () => {
  test("searches without an end don't keep others from finding", async () => {
    const pool = open({ workers: 2, maxRunning: 40 });
    for (let index = 0; index < 9; index++) void occupy(pool);
    const salts = await Promise.all(Array.from({ length: 20 }, () => pool.search(easy)));
    expect(new Set(salts).size).toBe(20);
    expect(pool.load()).toEqual({ running: 9, waiting: 0 });
  });

  test("one search has all workers, and workers start with the first that needs them", async () => {
    const pool = open({ workers: 3 });
    expect(pool.tried()).toBe(0);
    const lone = occupy(pool);
    await expect.poll(() => pool.triedByWorker().every((count) => count > 0), patience).toBe(true);
    lone.abort();
    await lone.failure;
  });

  test("a pool can be started beforehand, and the fallback kernel chosen", async () => {
    const pool = open({ workers: 1, kind: "scalar" });
    pool.start();
    expect(await pool.search(easy)).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe("the queue", () => {
  test("so many run, so many wait, one more is refused; a place that is given up is taken", async () => {
    const pool = open({ workers: 1, maxRunning: 1, maxWaiting: 2 });
    const first = occupy(pool);
    const second = occupy(pool);
    const third = pool.search(easy);
    expect(pool.load()).toEqual({ running: 1, waiting: 2 });
    const refusal = await pool.search(easy).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PoolBusyError);
    expect(refusal).toMatchObject({ retryAfter: 1 });

    second.abort();
    expect(await second.failure).toMatchObject({ message: "hung up" });
    expect(pool.load()).toEqual({ running: 1, waiting: 1 });
    first.abort();
    expect(await third).toMatch(/^0x/);
    expect(pool.load()).toEqual({ running: 0, waiting: 0 });
  });
});

describe("clients", () => {
  test("take turns: whoever comes last with one search is the next", async () => {
    const pool = open({ workers: 1, maxRunning: 1, maxWaiting: 10 });
    const running = occupy(pool);
    const found: string[] = [];
    const search = (client: string) => pool.search(easy, { client }).then(() => found.push(client));
    const searches = ["greedy", "greedy", "greedy", "modest"].map(search);
    running.abort();
    await Promise.all(searches);
    expect(found).toEqual(["greedy", "modest", "greedy", "greedy"]);
  });

  test("who has taken all places to wait loses one to another, and not the other way round", async () => {
    const pool = open({ workers: 1, maxRunning: 1, maxWaiting: 3 });
    const running = occupy(pool);
    const outcome = (client: string) =>
      pool.search(easy, { client }).then(
        () => "found",
        (error: unknown) => error,
      );
    const greedy = [outcome("greedy"), outcome("greedy"), outcome("greedy")];
    const modest = outcome("modest");
    expect(await greedy[2]).toBeInstanceOf(PoolBusyError);
    expect(await outcome("greedy")).toBeInstanceOf(PoolBusyError);
    running.abort();
    expect(await Promise.all([greedy[0], greedy[1], modest])).toEqual(["found", "found", "found"]);
  });
});

describe("giving up", () => {
  test("a search that is aborted leaves its workers idle", async () => {
    const pool = open({ workers: 2 });
    const lone = occupy(pool);
    await expect.poll(() => pool.tried(), patience).toBeGreaterThan(0);
    lone.abort();
    expect(await lone.failure).toMatchObject({ message: "hung up" });
    await untilIdle(pool);
  });

  test("a search whose signal is aborted already doesn't begin", async () => {
    const pool = open({ workers: 1 });
    const search = pool.search(hopeless, { signal: AbortSignal.abort(new Error("gone")) });
    await expect(search).rejects.toThrow("gone");
    expect(pool.load()).toEqual({ running: 0, waiting: 0 });
  });

  test("workers are idle after a find", async () => {
    const pool = open({ workers: 2 });
    await pool.search(easy);
    await untilIdle(pool);
  });

  test("closing ends what runs and what waits, and nothing begins after it", async () => {
    const pool = open({ workers: 1, maxRunning: 1 });
    const failures = [occupy(pool).failure, occupy(pool).failure];
    await pool.close();
    for (const failure of failures) expect(await failure).toBeInstanceOf(PoolClosedError);
    await expect(pool.search(easy)).rejects.toBeInstanceOf(PoolClosedError);
  });
});

describe("what goes wrong in a worker", () => {
  const started: Worker[] = [];
  const keep = (worker: Worker) => started.push(worker);
  beforeEach(() => void process.on("worker", keep));
  afterEach(() => {
    process.off("worker", keep);
    started.length = 0;
  });

  test("a search that throws fails alone", async () => {
    const pool = open({ workers: 1 });
    const bystander = pool.search(easy);
    await expect(pool.search(broken)).rejects.toThrow("Not 20 bytes in hexadecimal");
    expect(await bystander).toMatch(/^0x/);
    expect(started).toHaveLength(1);
  });

  test("a worker that ends is replaced, and its searches go on", async () => {
    const pool = open({ workers: 1, maxRunning: 4 });
    const bystander = occupy(pool);
    await pool.search(easy);
    await started[0]?.terminate();
    expect(await pool.search(easy)).toMatch(/^0x/);
    expect(started).toHaveLength(2);
    expect(pool.load()).toEqual({ running: 1, waiting: 0 });
    bystander.abort();
    await bystander.failure;
  });

  test("a search whose workers keep crashing fails, and the pool carries on", async () => {
    const pool = open({ workers: 1 });
    const { failure } = occupy(pool);
    for (let crash = 0; crash < 3; crash++) {
      await expect.poll(() => started.length, patience).toBe(crash + 1);
      await started[crash]?.terminate();
    }
    expect(await failure).toBeInstanceOf(WorkerCrashError);
    expect(await pool.search(easy)).toMatch(/^0x/);
  });
});

test("idle workers don't keep a process alive", async () => {
  const code = `
    import { findSalt } from ${JSON.stringify(new URL("./find-salt.ts", import.meta.url).href)};
    const hash = "0x" + "22".repeat(32);
    console.log((await findSalt({ deployer: "0x" + "11".repeat(20), initCodeHash: hash, suffix: "5a" })).address);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  expect(stdout).toMatch(/^0x[0-9a-f]{38}5a\n$/);
});

const count = fc.integer({ min: 1, max: 40 });

test("every search has a worker, every worker a search, and the shares differ by one at most", () => {
  fc.assert(
    fc.property(count, count, (workers, searches) => {
      const shares = shareOut(workers, searches);
      const sizes = shares.map(({ length }) => length);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
      const parts = Array.from(
        { length: searches },
        (_, search) => shares.filter((share) => share.includes(search)).length,
      );
      expect(Math.min(...parts)).toBeGreaterThan(0);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThan(2);
    }),
  );
});

test("without searches, no worker has one", () => {
  expect(shareOut(2, 0)).toEqual([[], []]);
});
