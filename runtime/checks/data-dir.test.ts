import { readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { assertDataDir } from "./host.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(() => place.remove());

test("a missing folder is created, with its parents, and left empty", async () => {
  const folder = path.join(place.folder, "a", "b");
  await assertDataDir(folder);
  await assertDataDir(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});

test("a file where the folder should be is named in the error", async () => {
  const file = path.join(place.folder, "file");
  await writeFile(file, "");
  for (const dataDir of [file, path.join(file, "below")]) {
    await expect(assertDataDir(dataDir)).rejects.toMatchObject({
      code: "not-writable",
      message: expect.stringContaining(`${dataDir} is a file, or has one in its path`),
    });
  }
});

test.runIf(process.platform === "linux")(
  "where no folder can be created, the check fails at once",
  async () => {
    await expect(assertDataDir("/proc/x/y")).rejects.toMatchObject({
      message: expect.stringContaining("/proc/x/y"),
    });
  },
);
