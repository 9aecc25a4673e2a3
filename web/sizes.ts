import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { outDir } from "./vite.ts";

/** Fails if the built explorer has too much JavaScript. Sizes are in bytes after gzip. */
const maxHomeBytes = 45 * 1_024;
const maxTotalBytes = 130 * 1_024;

const assets = path.join(outDir, "assets");
const sizeOf = async (name: string) => (await stat(path.join(assets, `${name}.gz`))).size;

const page = await readFile(path.join(outDir, "index.html"), "utf8");
const homeScripts = [...page.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name = ""]) => name);
const all = (await readdir(assets)).filter((name) => name.endsWith(".js"));
const sum = async (names: string[]) =>
  (await Promise.all(names.map(sizeOf))).reduce((total, size) => total + size, 0);

const [home, total] = [await sum(homeScripts), await sum(all)];
const kilobytes = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KB`;
console.log(
  `explorer: ${kilobytes(home)} of JavaScript on the home page, ${kilobytes(total)} in total (gzip)`,
);
if (homeScripts.length === 0 || home > maxHomeBytes || total > maxTotalBytes) {
  console.error(`at most ${kilobytes(maxHomeBytes)} and ${kilobytes(maxTotalBytes)}`);
  process.exitCode = 1;
}
