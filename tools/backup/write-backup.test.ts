import { stat } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { databaseForEachTest } from "../../test/service/database.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { watchFlushes } from "../../test/service/watch-flushes.ts";
import { writeBackup } from "./write-backup.ts";

const database = databaseForEachTest();

test("a backup that is written is on disk, and so is its name", async () => {
  const { folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const file = path.join(folder, "backup.tar");
  const flushed = await watchFlushes();
  const { signal } = new AbortController();
  const pool = new pg.Pool({ connectionString: database.url });
  await writeBackup({ pool, readImage: async () => undefined, file, signal }).finally(() => pool.end());
  for (const place of [file, folder]) expect(flushed).toContain((await stat(place)).ino);
});
