import { stat } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { databaseForEachTest } from "../../test/service/database.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { watchFlushes } from "../../test/service/watch-flushes.ts";
import { writeExport } from "./write-export.ts";

const database = databaseForEachTest();

test("an export that is written is on disk, and so is its name", async () => {
  const { folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const file = path.join(folder, "registrations.jsonl");
  const flushed = await watchFlushes();
  const { signal } = new AbortController();
  const pool = new pg.Pool({ connectionString: database.url });
  expect(await writeExport({ pool, file, signal }).finally(() => pool.end())).toBe(0);
  for (const place of [file, folder]) expect(flushed).toContain((await stat(place)).ino);
});
