import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../../config/async.ts";
import { onlyInLongRun, sized } from "../../test/run/long-run.ts";
import { copyPostgresHome } from "../../test/service/postgres-home.ts";
import { type Program, runCommand, survivorsOf } from "../../test/service/program.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { query } from "../process/fixtures/query.ts";
import { runService, serviceScript } from "../process/fixtures/run-service.ts";
import { processIsAlive } from "../process/process-identity.ts";
import { homeFiles } from "./fixtures/home-files.ts";
import { startPostgres } from "./start-postgres.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
const services: Program[] = [];

beforeEach(async () => {
  place = await temporaryFolder();
  dataDir = path.join(place.folder, "postgres");
});

afterEach(async () => {
  for (const service of services.splice(0)) {
    const pids = service.descendants();
    service.kill("SIGKILL");
    await survivorsOf(pids, 30_000);
  }
  await place.remove();
});

async function startFirst(...parts: string[]): Promise<Program> {
  const service = runService(parts, dataDir);
  services.push(service);
  return service;
}

async function start(...parts: string[]): Promise<Program> {
  if (!existsSync(dataDir)) await copyPostgresHome(dataDir);
  return await startFirst(...parts);
}

async function rowsAfterRestart(): Promise<unknown[]> {
  const postgres = await startPostgres({ dataDir, durable: false });
  return await query(postgres.url, "select answer from kept").finally(() => postgres.stop());
}

test("a signal shuts Postgres down cleanly with the rest", async () => {
  const service = await start("postgres", "family");
  await service.untilOutput("ready");
  await query(service.outputAfter("url"), "create table kept as select 42 as answer");
  const pids = service.descendants();

  service.kill("SIGINT");

  expect(await service.exited).toBe(0);
  expect(await survivorsOf(pids, 0)).toEqual([]);
  expect(await readdir(path.join(dataDir, "cluster"))).not.toContain("postmaster.pid");
  expect(await rowsAfterRestart()).toEqual([{ answer: 42 }]);
});

test("the crash of Postgres stops the service and quotes its log", async () => {
  const service = await start("postgres", "family");
  await service.untilOutput("ready");
  const pids = service.descendants();

  process.kill(Number(service.outputAfter("pid postgres")), "SIGQUIT");

  expect(await service.exited).toBe(1);
  expect(service.output()).toContain("log postgres ended unexpectedly");
  expect(service.output()).toContain("immediate shutdown request");
  expect(await survivorsOf(pids, 30_000)).toEqual([]);
});

test("kill -9 of the service also ends Postgres, and no committed row is lost", async () => {
  const service = await start("postgres", "family");
  await service.untilOutput("ready");
  await query(service.outputAfter("url"), "create table kept as select 42 as answer");
  const pids = service.descendants();

  service.kill("SIGKILL");

  await service.exited;
  expect(await survivorsOf(pids, 30_000)).toEqual([]);
  expect(await rowsAfterRestart()).toEqual([{ answer: 42 }]);
});

test("the next start stops and replaces a Postgres that outlived its service and its reaper", async () => {
  const service = await start("postgres");
  await service.untilOutput("ready");
  await query(service.outputAfter("url"), "create table kept as select 42 as answer");
  const orphan = Number(service.outputAfter("pid postgres"));
  process.kill(Number(service.outputAfter("pid reaper")), "SIGKILL");
  service.kill("SIGKILL");
  await service.exited;
  expect(processIsAlive(orphan)).toBe(true);

  const lines: string[] = [];
  const next = await startPostgres({ dataDir, durable: false, log: (line) => void lines.push(line) });

  expect(processIsAlive(orphan)).toBe(false);
  expect(lines).toEqual([`stopping the Postgres (pid ${orphan}) that an earlier run left behind`]);
  expect(await query(next.url, "select answer from kept").finally(() => next.stop())).toEqual([
    { answer: 42 },
  ]);
});

test("a second service in the same folder fails with the pid of the first, and harms nothing", async () => {
  const first = await start("postgres");
  await first.untilOutput("ready");

  const second = await start("postgres");

  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(
    `another instance of this service (pid ${first.pid}) uses the data in ${dataDir}`,
  );
  expect(await query(first.outputAfter("url"), "select 1 as one")).toEqual([{ one: 1 }]);
});

onlyInLongRun(() => {
  test("a second service in another container is refused too, although it sees no process of the first", async () => {
    const first = await start("postgres");
    await first.untilOutput("ready");

    let second: Program;
    if (process.platform === "linux" && process.getuid?.() === 0) {
      // As containers have them: processes and shared memory of its own, by which Postgres notices another one.
      const container = ["--pid", "--ipc", "--mount-proc", "--fork", "--kill-child", process.execPath];
      const env = { DATA_DIR: dataDir, PARTS: "postgres" };
      second = runCommand("unshare", [...container, "--no-warnings", serviceScript], { env });
      services.push(second);
    } else {
      const lock = path.join(dataDir, "instance.json");
      const holder = JSON.parse(await readFile(lock, "utf8"));
      await writeFile(lock, JSON.stringify({ ...holder, identity: "of another container" }));
      second = await start("postgres");
    }

    await second.untilOutput("another instance of this service in another container uses the data");
    expect(await second.exited).toBe(1);
    expect(await query(first.outputAfter("url"), "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

test.each(sized<NodeJS.Signals[]>({ usual: ["SIGKILL"], long: ["SIGINT", "SIGKILL"] }))(
  "%s in the middle of the first start doesn't break the next one",
  async (signal) => {
    const service = await startFirst("postgres");
    const isHalfway = () =>
      existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith("new-"));
    expect(await waitUntil(isHalfway, { forMs: 60_000 })).toBe(true);
    const pids = service.descendants();

    service.kill(signal);

    expect(await service.exited).toBe(signal === "SIGINT" ? 0 : null);
    expect(service.output()).not.toContain("ready");
    expect(await survivorsOf(pids, 30_000)).toEqual([]);
    const postgres = await startPostgres({ dataDir, durable: false });
    await query(postgres.url, "select 1").finally(() => postgres.stop());
    expect((await readdir(dataDir)).sort()).toEqual(homeFiles);
  },
);
