import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Manifest } from "vite";
import { partsOf } from "./src/language/parts.ts";
import { outDir } from "./vite.ts";

/** Fails if a page of the built explorer has too much JavaScript: all that it may load, in KB after gzip, in the language with the longest texts. */
const budgets = [
  { name: "home page", folder: undefined, texts: [], maxKilobytes: 45 },
  { name: "board", folder: "src/board/", texts: partsOf.board, maxKilobytes: 61 },
  { name: "page and dialog of alerts", folder: "src/alerts/", texts: partsOf.alerts, maxKilobytes: 57 },
  {
    name: "watchlist with alerts of the browser",
    folder: "src/browser-alerts/",
    texts: partsOf.alerts,
    maxKilobytes: 55,
  },
  { name: "token page", folder: "src/token/", texts: partsOf.token, maxKilobytes: 133 },
] as const;

const manifest = JSON.parse(await readFile(path.join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;

/** The files of these modules, with all that they import. */
function filesOf(names: readonly string[], files = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    filesOf(chunk.imports ?? [], files);
  }
  return files;
}

const sizeOf = async (file: string) => (await stat(path.join(outDir, `${file}.gz`))).size;

/** The modules of the texts, such as `src/language/catalogues/en.ts?token`, in each language. */
const catalogues = Object.keys(manifest).filter((name) => /\/catalogues\/\w+\.ts\?core$/.test(name));
if (catalogues.length < 2) throw new Error("the build has too few languages");
const textsOf = (parts: readonly string[]) =>
  catalogues.map((core) => parts.map((part) => core.replace(/core$/, part)));

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

for (const { name, folder, texts, maxKilobytes } of budgets) {
  const modules = folder === undefined ? [] : Object.keys(manifest).filter((key) => key.startsWith(folder));
  if (folder !== undefined && modules.length === 0) throw new Error(`the build has nothing of ${folder}`);
  const files = [...filesOf(["index.html", ...modules])];
  const languages = textsOf(["core", ...texts]).map((modules) => [...filesOf(modules)]);
  const [code = 0, ...textSizes] = await Promise.all(
    [files, ...languages].map(async (group) => sum(await Promise.all(group.map(sizeOf)))),
  );
  const kilobytes = (code + Math.max(...textSizes)) / 1_024;
  console.log(`explorer: ${kilobytes.toFixed(1)} of ${maxKilobytes} KB of JavaScript on the ${name} (gzip)`);
  if (kilobytes > maxKilobytes) process.exitCode = 1;
}
