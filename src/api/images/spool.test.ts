import { randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { createSpool } from "./receive-image.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(() => place.remove());

test("bytes come back in order, from memory and from the disk, and no file has a name", async () => {
  const bytes = randomBytes(10_000);
  for (const memoryBytes of [0, 9_999, 10_000]) {
    const spool = createSpool({ folder: path.join(place.folder, "new"), memoryBytes });
    for (let at = 0; at < bytes.length; at += 700) await spool.write(bytes.subarray(at, at + 700));
    expect((await spool.read()).equals(bytes)).toBe(true);
    if (memoryBytes < bytes.length) expect(await readdir(path.join(place.folder, "new"))).toEqual([]);
    await spool.close();
    await spool.close();
    await expect(spool.write(bytes)).rejects.toThrow("closed");
  }
});

test("an upload that fits in memory needs no disk, and a larger one fails without one", async () => {
  const folder = path.join(place.folder, "file");
  await writeFile(folder, "");
  const spool = createSpool({ folder, memoryBytes: 100 });
  await spool.write(randomBytes(100));
  expect((await spool.read()).length).toBe(100);
  await expect(spool.write(randomBytes(1))).rejects.toMatchObject({ code: expect.any(String) });
  await spool.close();
});
