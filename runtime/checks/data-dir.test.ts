import { readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { assertDataDir } from "./data-dir.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(() => place.remove());

test("a folder that is not there is made, with those above it, and nothing is left in it", async () => {
  const folder = path.join(place.folder, "a", "b");
  await assertDataDir(folder);
  await assertDataDir(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});

test("a file in its place is named", async () => {
  const file = path.join(place.folder, "file");
  await writeFile(file, "");
  for (const dataDir of [file, path.join(file, "below")]) {
    await expect(assertDataDir(dataDir)).rejects.toMatchObject({
      code: "not-writable",
      message: expect.stringContaining(`${dataDir} is a file, or has one in its path`),
    });
  }
});

test.runIf(process.platform === "linux")("where no folder can be made, the start ends at once", async () => {
  await expect(assertDataDir("/proc/x/y")).rejects.toMatchObject({
    message: expect.stringContaining("/proc/x/y"),
  });
});
