import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import path from "node:path";

/** Returns the folder of an installed npm package. Throws if it is not installed. */
export function packageFolder(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`the package ${name} is not installed: run npm ci`);
  return path.dirname(manifest);
}

export function packageVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(path.join(packageFolder(name), "package.json"), "utf8"));
  return String(manifest.version);
}
