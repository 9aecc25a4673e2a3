import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/* npm installs a package without a checksum unverified, and it leaves out the checksums of packages that it couldn't look up. */

const lockFiles = globSync("**/package-lock.json", { exclude: (name) => /node_modules|^\./.test(name) });

test.each(lockFiles)("%s has a checksum for each package, and names no registry", (file) => {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as {
    packages: Record<string, { integrity?: string; resolved?: string }>;
  };
  const installed = Object.entries(packages).filter(([folder]) => folder !== "");
  const incomplete = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  expect(
    incomplete.map(([folder]) => folder),
    "delete these entries, and run npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved",
  ).toEqual([]);
  const resolved = installed.filter(([, entry]) => entry.resolved !== undefined);
  expect(
    resolved.map(([folder]) => folder),
    "run npm install with --omit-lockfile-registry-resolved, so that it installs from any registry",
  ).toEqual([]);
});
