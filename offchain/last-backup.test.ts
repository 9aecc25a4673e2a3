import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { noteBackup, readLastBackup } from "./last-backup.ts";

test("a backup's note replaces what another user has left in its place, and never follows a link", async () => {
  const { folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const elsewhere = path.join(folder, "elsewhere");
  await writeFile(elsewhere, "");
  await symlink(elsewhere, path.join(folder, "last-backup"));
  await noteBackup(folder, "/backups/a.tar");
  expect(await readFile(elsewhere, "utf8")).toBe("");
  expect(await readFile(path.join(folder, "last-backup"), "utf8")).toBe("/backups/a.tar\n");
  expect(await readLastBackup(folder)).toBeGreaterThan(0);
});
