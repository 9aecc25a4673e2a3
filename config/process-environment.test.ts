import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { childEnvironment, loadSettingsFile, SettingsFileError } from "./process-environment.ts";

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

test("a value that ends at a # which may belong to it is named, and a comment is not", async () => {
  const text = `LAUNCHPAD_I=#f0b429\nLAUNCHPAD_J=a#b # c\nLAUNCHPAD_K="#1"#2\nLAUNCHPAD_L=1 #2#3\nLAUNCHPAD_M= #4\n#LAUNCHPAD_N=a#b\nLAUNCHPAD_O='\n#5'`;
  const cut = (name: string, line: number) =>
    `.env.local cuts ${name} off at a # in line ${line}, where a comment begins: put the value in quotes if the # belongs to it`;
  expect(await load(text)).toEqual([cut("LAUNCHPAD_I", 1), cut("LAUNCHPAD_J", 2)]);
  expect(childEnvironment({})).toMatchObject({
    LAUNCHPAD_I: "",
    LAUNCHPAD_J: "a",
    LAUNCHPAD_K: "#1",
    LAUNCHPAD_L: "1",
    LAUNCHPAD_M: "",
    LAUNCHPAD_O: "\n#5",
  });
});

test("a byte order mark does not belong to the first name, and line breaks may be those of Windows", async () => {
  expect(await load("\uFEFFLAUNCHPAD_C=1\r\nLAUNCHPAD_D=2\r\n")).toEqual([]);
  expect(childEnvironment({})).toMatchObject({ LAUNCHPAD_C: "1", LAUNCHPAD_D: "2" });
});

test("a folder in place of the file, as container engines create it for one that is missing, is named", async () => {
  const { folder, remove } = await temporaryFolder();
  expect(() => loadSettingsFile(folder)).toThrow(SettingsFileError);
  expect(() => loadSettingsFile(folder)).toThrow(`${folder} can't be read (EISDIR): it must be a file`);
  await remove();
});

test("without a file nothing is set", () => {
  expect(loadSettingsFile("/nowhere/.env.local")).toEqual([]);
});
