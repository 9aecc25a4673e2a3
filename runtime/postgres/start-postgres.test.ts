import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { onConnection } from "../../offchain/connection.ts";
import { onlyInLongRun } from "../../test/run/long-run.ts";
import { copyPostgresHome } from "../../test/service/postgres-home.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { freePort } from "../checks/host.ts";
import { query } from "../process/fixtures/query.ts";
import { processIsAlive } from "../process/process-identity.ts";
import { homeFiles } from "./fixtures/home-files.ts";
import { type PostgresOptions, type RunningPostgres, startPostgres } from "./start-postgres.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
const running: RunningPostgres[] = [];

beforeEach(async () => {
  place = await temporaryFolder();
  dataDir = path.join(place.folder, "data", "postgres");
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
  await place.remove();
});

async function startFirst(options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> {
  const sharedDir = path.join(place.folder, "shared");
  const postgres = await startPostgres({ dataDir, durable: false, sharedDir, ...options });
  running.push(postgres);
  return postgres;
}

async function start(options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> {
  if (!existsSync(dataDir)) await copyPostgresHome(dataDir);
  return await startFirst(options);
}

test("the first start creates a durable, password-protected UTF-8 database on loopback", async () => {
  const { adminUrl, analystUrl, port } = await startFirst({ durable: true });
  const [row] = await query(
    adminUrl.replace(/[^/]*$/, "launchpad"),
    `select current_database() as name, pg_encoding_to_char(encoding) as encoding, datlocale as locale,
       lower('ÀÉ') as lower, current_setting('listen_addresses') as listen, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit, current_setting('unix_socket_directories') as sockets
     from pg_database where datname = current_database()`,
  );
  expect(row).toEqual({
    name: "launchpad",
    encoding: "UTF8",
    locale: "C.UTF-8",
    lower: "àé",
    listen: "127.0.0.1",
    fsync: "on",
    commit: "on",
    sockets: "",
  });
  await expect(query(`postgres://launchpad:wrong@127.0.0.1:${port}/launchpad`, "select 1")).rejects.toThrow(
    /password/,
  );
  expect(await query(analystUrl, "show search_path")).toEqual([{ search_path: "launchpad, public" }]);
  for (const file of ["admin-password", "api-password", "password", "reader-password", "sql-password"]) {
    expect((await stat(path.join(dataDir, file))).mode & 0o777).toBe(0o600);
  }
  expect((await stat(path.join(dataDir, "cluster"))).mode & 0o777).toBe(0o700);
});

test("PGSSLMODE, which is for other servers, keeps nobody from this one", async () => {
  vi.stubEnv("PGSSLMODE", "require");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url, analystUrl } = await start();
  for (const each of [url, analystUrl]) expect(await query(each, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a stop ends the statements of connected clients, and leaves no process", async () => {
  const { url, pid, stop } = await start();
  const sleeping = query(url, "select pg_sleep(1000)").catch((error: Error) => error.message);
  const active =
    "select 1 from pg_stat_activity where query like '%pg_sleep(1000)' and pid <> pg_backend_pid()";
  while ((await query(url, active)).length === 0);
  await stop();
  expect(processIsAlive(pid)).toBe(false);
  expect(await sleeping).toMatch(/administrator command/);
});

onlyInLongRun(() => {
  test("committed rows survive kill -9 of Postgres", async () => {
    const first = await start({ durable: true });
    await query(first.url, "create table kept as select 42 as answer");
    process.kill(first.pid, "SIGKILL");
    expect(await first.exited).toEqual({ code: null, signal: "SIGKILL" });

    const second = await start({ durable: true });
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });
});

test("a second start keeps the rows, the port and the password, in a folder whose name has a space, quotes, $, ` and non-ASCII letters", async () => {
  dataDir = path.join(place.folder, "with space", "quo'te \" and $HOME `id`", "Übergröße ✓", "postgres");
  const first = await startFirst();
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();

  const second = await startFirst();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("people get temporary tables by one grant, which a later start keeps, and whose size temp_file_limit doesn't bound", async () => {
  const createTable = (url: string) =>
    onConnection(url, async (client) => {
      await client.query("begin read write");
      await client.query(
        "create temporary table mine as select repeat('x', 1000) as text from generate_series(1, 5000)",
      );
      await client.query("commit");
      const { rows } = await client.query(
        "select pg_table_size('mine') > 4000000 as is_large from mine limit 1",
      );
      return rows;
    });
  const first = await start();
  await expect(createTable(first.analystUrl)).rejects.toMatchObject({ code: "42501" });

  await query(first.url, "grant temporary on database launchpad to launchpad_reader");
  await query(first.adminUrl, "alter role launchpad_reader set temp_file_limit = '1MB'");
  const large = [{ is_large: true }];
  expect(await createTable(first.analystUrl)).toEqual(large);
  await expect(createTable(first.sqlUrl)).rejects.toMatchObject({ code: "42501" });
  await first.stop();
  expect(await createTable((await start()).analystUrl)).toEqual(large);
});

onlyInLongRun(() => {
  test("a start in a folder that is in use names the process that uses it", async () => {
    await start();
    await expect(start()).rejects.toMatchObject({
      code: "in-use",
      message: expect.stringMatching(
        `another instance of this service \\(pid ${process.pid}\\) uses the data`,
      ),
    });
  });

  test("another port is chosen if the last one has been taken", async () => {
    const first = await start();
    await first.stop();
    const intruder = createServer().listen(first.port, "127.0.0.1");
    await once(intruder, "listening");

    const second = await start();
    expect(second.port).not.toBe(first.port);
    intruder.close();
    await second.stop();
    expect((await start()).port).toBe(second.port);
  });
});

test("a configured port is used, and refused in one line if it is taken", async () => {
  const port = await freePort();
  const intruder = createServer().listen(port, "127.0.0.1");
  await once(intruder, "listening");
  await expect(start({ port })).rejects.toMatchObject({
    code: "port-taken",
    message: `port ${port} (Postgres) is taken by another process: choose a free one or stop it`,
  });
  intruder.close();
  await once(intruder, "close");
  expect((await start({ port })).port).toBe(port);
});

test("a pid file whose pid now belongs to an unrelated process doesn't block the start", async () => {
  await (await start()).stop();
  const pidFile = path.join(dataDir, "cluster", "postmaster.pid");
  await writeFile(pidFile, `${process.pid}\n${dataDir}\n`);
  await writeFile(
    path.join(dataDir, "instance.json"),
    JSON.stringify({ pid: process.pid, identity: "before the boot" }),
  );

  const { pid } = await start();
  expect(await readFile(pidFile, "utf8")).toMatch(new RegExp(`^${pid}\n`));
});

onlyInLongRun(() => {
  test("leftovers of an unfinished first start are removed", async () => {
    await (await start()).stop();
    const unfinished = path.join(dataDir, "new-abc123");
    await writeFile(path.join(dataDir, "instance.json"), "");
    await mkdir(unfinished);
    await cp(path.join(dataDir, "cluster", "base"), path.join(unfinished, "cluster", "base"), {
      recursive: true,
    });
    await rm(path.join(dataDir, "cluster"), { recursive: true });

    await query((await startFirst()).url, "select 1");
    const files = (await readdir(dataDir)).filter((name) => !name.startsWith("instance"));
    expect(files.sort()).toEqual(homeFiles);
  });
});

test("an aborted start leaves no process and no lock", async () => {
  const abort = new AbortController();
  const added: number[] = [];
  const reaper = {
    add: (group: number) => {
      added.push(group);
      abort.abort(new Error("stopped meanwhile"));
    },
    remove: () => {},
  };
  await expect(startFirst({ signal: abort.signal, reaper })).rejects.toThrow("stopped meanwhile");
  expect(added.filter((pid) => processIsAlive(pid))).toEqual([]);

  await query((await startFirst()).url, "select 1");
});

test("a log of more than 10 MB is rotated at the start, and neither people nor clients' SQL can fill it", async () => {
  await (await start()).stop();
  const log = path.join(dataDir, "postgres.log");
  await writeFile(log, Buffer.alloc(10_000_001, "x"));
  const { analystUrl, sqlUrl } = await start();
  expect((await stat(`${log}.1`)).size).toBe(10_000_001);
  for (const url of [analystUrl, sqlUrl])
    await expect(query(url, "select repeat('x', 1000000)::int")).rejects.toThrow("invalid input syntax");
  expect((await stat(log)).size).toBeLessThan(10_000);
});
