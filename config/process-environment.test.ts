import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { childEnvironment, loadSettingsFile } from "./process-environment.ts";

async function load(text: string) {
  const place = await temporaryFolder();
  const file = path.join(place.folder, ".env.local");
  await writeFile(file, text);
  try {
    return loadSettingsFile(file);
  } finally {
    await place.remove();
  }
}

test("a variable that is set twice is named with its lines, and the last one counts", async () => {
  vi.stubEnv("LAUNCHPAD_B", "from the environment");
  const lines = await load("LAUNCHPAD_A=1\n# LAUNCHPAD_A=2\nLAUNCHPAD_B=1\n export LAUNCHPAD_A='3'\n");
  expect(lines).toEqual([
    ".env.local sets LAUNCHPAD_A more than once, in the lines 1, 4: the last one counts. Take out the others",
  ]);
  expect(childEnvironment({})).toMatchObject({ LAUNCHPAD_A: "3", LAUNCHPAD_B: "from the environment" });
});

test("a line within a value in quotes sets nothing, and names in lower case count", async () => {
  const text = `LAUNCHPAD_E=1\nLAUNCHPAD_F="first\nLAUNCHPAD_E=2\n"\nlaunchpad_g='1'\nLAUNCHPAD_H="\nlaunchpad_g=2\n`;
  expect(await load(text)).toEqual([
    ".env.local sets launchpad_g more than once, in the lines 5, 7: the last one counts. Take out the others",
  ]);
  expect(childEnvironment({})).toMatchObject({
    LAUNCHPAD_E: "1",
    LAUNCHPAD_F: "first\nLAUNCHPAD_E=2\n",
    launchpad_g: "2",
  });
});

test("a byte order mark does not belong to the first name, and line breaks may be those of Windows", async () => {
  expect(await load("\uFEFFLAUNCHPAD_C=1\r\nLAUNCHPAD_D=2\r\n")).toEqual([]);
  expect(childEnvironment({})).toMatchObject({ LAUNCHPAD_C: "1", LAUNCHPAD_D: "2" });
});

test("without a file nothing is set", () => {
  expect(loadSettingsFile("/nowhere/.env.local")).toEqual([]);
});
