import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { openEngine } from "./engine.ts";

let workFolder: string;
let lock: string;

beforeEach(async () => {
  const { folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  workFolder = path.join(folder, ".work");
  lock = path.join(workFolder, "lock.duckdb");
  await mkdir(workFolder);
});

test("a lock that can't be opened is not taken for that of another export", async () => {
  await mkdir(lock);
  await expect(openEngine(workFolder)).rejects.toThrow(`cannot use ${workFolder}: `);
});

test("a lock that a run was cut off over is named, with what to do", async () => {
  await writeFile(lock, "");
  await expect(openEngine(workFolder)).rejects.toThrow(
    `a run was cut off while it created ${workFolder}: remove that folder, and run this again`,
  );
});
