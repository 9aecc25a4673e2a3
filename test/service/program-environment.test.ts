import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { childEnvironment, loadSettingsFile } from "../../config/process-environment.ts";
import { emptySettings } from "./program-environment.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("a program of a test gets nothing from .env.local, which may name a real database", async () => {
  const { folder, remove } = await temporaryFolder();
  const file = path.join(folder, ".env.local");
  writeFileSync(file, "LAUNCHPAD_REAL_DATABASE=postgres://real.example\nexport LAUNCHPAD_REAL_KEY='1'\n");
  for (const [name, value] of Object.entries(emptySettings(file))) vi.stubEnv(name, value);
  loadSettingsFile(file);
  expect(childEnvironment({})).toMatchObject({ LAUNCHPAD_REAL_DATABASE: "", LAUNCHPAD_REAL_KEY: "" });
  expect(emptySettings(path.join(folder, "none"))).toEqual({});
  vi.unstubAllEnvs();
  await remove();
});
