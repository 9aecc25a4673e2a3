import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { watchFlushes } from "../test/service/watch-flushes.ts";
import { openEngine } from "./engine.ts";
import { openStore } from "./store.ts";

test("a file's new folders are on disk with it, up to the one that was there before", async () => {
  const place = await temporaryFolder();
  onTestFinished(place.remove);
  const above = path.join(place.folder, "exports");
  await mkdir(above);
  const flushed = await watchFlushes();
  const folder = path.join(above, "lake");
  const engine = await openEngine(path.join(folder, ".work"));
  onTestFinished(() => engine.close());
  const store = openStore(folder, engine);
  const put = async (file: string) => {
    const finished = path.join(engine.workFolder, "finished");
    await writeFile(finished, file);
    await store.put(finished, file);
  };

  await put("trades/chain=56/day=2026-01-01/0.parquet");
  const inode = async (name: string) => (await stat(path.join(above, name))).ino;
  const chain = "lake/trades/chain=56";
  const day = `${chain}/day=2026-01-01`;
  for (const name of ["", "lake", "lake/trades", chain, day, `${day}/0.parquet`]) {
    expect(flushed, name).toContain(await inode(name));
  }

  flushed.length = 0;
  await put("trades/chain=56/day=2026-01-02/0.parquet");
  expect(flushed).toContain(await inode(chain));
});
