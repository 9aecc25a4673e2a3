import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Manifest } from "vite";
import { outDir } from "./vite.ts";

/** Fails if a page of the built explorer has too much JavaScript: all that it may load, in KB after gzip. */
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

for (const { name, folder, maxKilobytes } of budgets) {
  const modules = folder === undefined ? [] : Object.keys(manifest).filter((key) => key.startsWith(folder));
  if (folder !== undefined && modules.length === 0) throw new Error(`the build has nothing of ${folder}`);
  const files = [...filesOf(["index.html", ...modules])];
  const sizes = await Promise.all(files.map((file) => stat(path.join(outDir, `${file}.gz`))));
  const kilobytes = sizes.reduce((total, { size }) => total + size, 0) / 1_024;
  console.log(`explorer: ${kilobytes.toFixed(1)} of ${maxKilobytes} KB of JavaScript on the ${name} (gzip)`);
  if (kilobytes > maxKilobytes) process.exitCode = 1;
}
