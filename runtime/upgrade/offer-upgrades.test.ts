import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { describeEnd, startArguments } from "./offer-upgrades.ts";

test.each([
  [{ code: null, signal: "SIGKILL" }, ["a line"], /^the new version was killed by the signal SIGKILL \(/],
  [
    { code: 1, signal: null },
    ["indexer (ponder) ended unexpectedly (exit code 1): stopping the rest", "  indexer | why"],
    /^indexer \(ponder\) ended/,
  ],
  [
    { code: 1, signal: null },
    ["chain 56: ...", "port 42069 (API) is taken"],
    /^port 42069 \(API\) is taken$/,
  ],
  [
    { code: 1, signal: null },
    ["Error: a bug", "    at start (start.ts:1:1)", "  code: 'E',", "}", "Node.js v24.21.0"],
    /^Error: a bug$/,
  ],
  [{ code: 3, signal: null }, [], /exit code 3$/],
] as const)("the end %o after these lines has a reason: %o", (exit, lines, reason) => {
  expect(describeEnd(exit, [...lines])).toMatch(reason);
});

test("a version starts in a folder whose name would be something else in a URL", async () => {
  const { folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const version = path.join(folder, "launchpad #2, 100%25");
  mkdirSync(path.join(version, "runtime"), { recursive: true });
  writeFileSync(path.join(version, "runtime/node-version.mjs"), "");
  writeFileSync(path.join(version, "runtime/start.ts"), 'console.log("started")');
  const output = execFileSync(process.execPath, startArguments(version), { cwd: version, encoding: "utf8" });
  expect(output).toBe("started\n");
});
