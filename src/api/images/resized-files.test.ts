import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { createResizedFiles } from "./resized-images.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(() => place.remove());

const options = (bytes: number) => ({
  folder: path.join(place.folder, "resized"),
  unfinished: path.join(place.folder, "unfinished"),
  bytes,
});

/** As if it had been used then. */
async function age(name: string, minutes: number): Promise<void> {
  const then = new Date(Date.now() - minutes * 60_000);
  await utimes(path.join(place.folder, "resized", name), then, then);
}

const names = async () => (await readdir(path.join(place.folder, "resized"))).sort();

test("a written file is read by every process that shares the folder", async () => {
  const [one, another] = [createResizedFiles(options(1_000)), createResizedFiles(options(1_000))];
  expect(await one.read("a")).toBeUndefined();
  await one.write("a", Buffer.from("picture"));
  expect(String(await one.read("a"))).toBe("picture");
  expect(String(await another.read("a"))).toBe("picture");
  expect(await readdir(path.join(place.folder, "unfinished"))).toEqual([]);
});

test("beyond the limit, the least recently used files are evicted", async () => {
  const files = createResizedFiles(options(1_000));
  for (const [index, name] of ["a", "b", "c", "d", "e"].entries()) {
    await files.write(name, Buffer.alloc(180));
    await age(name, 60 - index);
  }
  // The oldest is used again, so the next one is the oldest now.
  await files.read("a");
  await files.write("f", Buffer.alloc(180));
  expect(await names()).toEqual(["a", "d", "e", "f"]);
});

test("files of other and earlier processes count too", async () => {
  const { folder } = options(0);
  await mkdir(folder, { recursive: true });
  for (const name of ["old-1", "old-2"]) {
    await writeFile(path.join(folder, name), Buffer.alloc(480));
    await age(name, 60);
  }
  await createResizedFiles(options(1_000)).write("new", Buffer.alloc(100));
  expect(await names()).toContain("new");
  expect(await names()).toHaveLength(2);
});

test("several at once, writing and removing the same files, leave whole files within the limit", async () => {
  const limit = 40_000;
  const sharing = Array.from({ length: 3 }, () => createResizedFiles(options(limit)));
  await Promise.all(
    sharing.map(async (files, index) => {
      for (let round = 0; round < 60; round++) {
        const name = `file-${(round * 7 + index) % 40}`;
        const found = await files.read(name);
        if (found === undefined) await files.write(name, Buffer.alloc(2_000, name));
        else expect(found.equals(Buffer.alloc(2_000, name))).toBe(true);
      }
    }),
  );
  // What each may add between two evictions, and what the evictions of others can't see yet.
  expect((await names()).length * 2_000).toBeLessThanOrEqual(limit * 1.25);
});
