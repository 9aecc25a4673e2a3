import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openFilesWarning } from "./host.ts";

const module = JSON.stringify(new URL("host.ts", import.meta.url).href);
const print = `import(${module}).then(({ openFilesWarning }) => console.log(openFilesWarning()))`;

test("a process that may open few files is warned of, with its limit", () => {
  const shell = 'ulimit -n 60; exec "$0" --no-warnings -e "$1"';
  const output = execFileSync("sh", ["-c", shell, process.execPath, print], { encoding: "utf8" });
  expect(output).toMatch(/^warning: this process may have 60 files open at a time.*\n$/);
});

test("with the usual limits there is no warning", () => {
  expect(openFilesWarning(65_536)).toBeUndefined();
});
