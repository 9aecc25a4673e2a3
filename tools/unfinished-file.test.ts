import {
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { createUnfinished } from "./unfinished-file.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;

beforeEach(async () => {
  place = await temporaryFolder();
  file = path.join(place.folder, "backup.tar");
});
afterEach(() => place.remove());

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

async function write(name: string, changedAt: Date) {
  const file = path.join(place.folder, name);
  await writeFile(file, "content");
  await utimes(file, changedAt, changedAt);
}

test("what a killed command left is removed, and nothing that a running one holds, nor any other file", async () => {
  const names = { dead: "monday.tar.0123456789ab.part", running: "backup.tar.ba9876543210.part" };
  await write(names.dead, hoursAgo(2));
  await write(`${names.dead}.images`, hoursAgo(3));
  await write(names.running, hoursAgo(0));
  // Written an hour ago, and read since.
  await write(`${names.running}.registrations`, hoursAgo(2));
  const others = ["backup.tar", "film.mp4.part", "0123456789ab.part"];
  for (const name of others) await write(name, hoursAgo(2));
  const { part } = await createUnfinished(file);
  const kept = [names.running, `${names.running}.registrations`, ...others, path.basename(part)];
  expect((await readdir(place.folder)).sort()).toEqual(kept.sort());
  expect((await stat(part)).mode & 0o777).toBe(0o600);
  await rm(part);
});

test("a command that writes nothing for long gives signs of life until its file is complete", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { part } = await createUnfinished(file);
    await utimes(part, hoursAgo(2), hoursAgo(2));
    vi.advanceTimersByTime(60_000);
    await expect.poll(async () => (await stat(part)).mtime.getTime()).toBeGreaterThan(hoursAgo(1).getTime());
    await rename(part, file);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["a folder", async () => place.folder],
  ["a device", async () => "/dev/null"],
  [
    "a link to a device",
    async () => {
      await symlink("/dev/null", file);
      return file;
    },
  ],
])("%s is not replaced by a file", async (_, create) => {
  await expect(createUnfinished(await create())).rejects.toThrow("is not a file");
  const left = (await readdir("/dev")).concat(await readdir(place.folder));
  expect(left.filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a link stays one, and its file is written beside where it leads", async () => {
  const disk = path.join(place.folder, "disk");
  await mkdir(disk);
  await symlink("disk/latest.tar", file);
  await symlink("monday.tar", path.join(disk, "latest.tar"));
  const monday = path.join(disk, "monday.tar");
  // First to a file that is yet to be written, then to one that is there.
  for (const content of ["first", "second"]) {
    const { part, target } = await createUnfinished(file);
    expect(path.dirname(part)).toBe(disk);
    await writeFile(part, content);
    await rename(part, target);
    expect(await readFile(monday, "utf8")).toBe(content);
  }
  expect(await readlink(file)).toBe("disk/latest.tar");
  expect((await readdir(disk)).sort()).toEqual(["latest.tar", "monday.tar"]);
});

test("a folder that doesn't exist is named", async () => {
  await expect(createUnfinished(path.join(place.folder, "none", "backup.tar"))).rejects.toThrow("ENOENT");
});
