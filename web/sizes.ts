import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Manifest } from "vite";
import { outDir } from "./vite.ts";

/** Fails if a page of the built explorer has too much JavaScript: all that it may load, in KB after gzip, in the language with the longest texts. */
const budgets = [
  { name: "home page", folder: undefined, maxKilobytes: 45 },
  { name: "board", folder: "src/board/", maxKilobytes: 60 },
  { name: "token page", folder: "src/token/", maxKilobytes: 130 },
] as const;

const manifest = JSON.parse(await readFile(path.join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;

/** The files of these modules, with all that they import. */
function filesOf(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    filesOf(chunk.imports ?? [], found);
  }
  return found;
}

const sizeOf = async (file: string) => (await stat(path.join(outDir, `${file}.gz`))).size;

const catalogues = Object.entries(manifest).filter(([name]) => name.startsWith("src/language/catalogues/"));
const catalogueSizes = await Promise.all(catalogues.map(([, { file }]) => sizeOf(file)));
if (catalogueSizes.length < 2) throw new Error("the build has too few languages");

for (const { name, folder, maxKilobytes } of budgets) {
  const modules = folder === undefined ? [] : Object.keys(manifest).filter((key) => key.startsWith(folder));
  if (folder !== undefined && modules.length === 0) throw new Error(`the build has nothing of ${folder}`);
  const files = [...filesOf(["index.html", ...modules])];
  const sizes = await Promise.all(files.map(sizeOf));
  const kilobytes = (sizes.reduce((total, size) => total + size, 0) + Math.max(...catalogueSizes)) / 1_024;
  console.log(`explorer: ${kilobytes.toFixed(1)} of ${maxKilobytes} KB of JavaScript on the ${name} (gzip)`);
  if (kilobytes > maxKilobytes) process.exitCode = 1;
}
