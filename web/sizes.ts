import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { outDir } from "./vite.ts";

/** Fails if the built explorer has more JavaScript than people should have to load. Bytes are those of gzip. */
const mostAtHome = 45 * 1_024;
const mostInTotal = 110 * 1_024;

const assets = path.join(outDir, "assets");
const sizeOf = async (name: string) => (await stat(path.join(assets, `${name}.gz`))).size;

const page = await readFile(path.join(outDir, "index.html"), "utf8");
const atHome = [...page.matchAll(/\/assets\/([^"]+\.js)"/g)].map(([, name = ""]) => name);
const all = (await readdir(assets)).filter((name) => name.endsWith(".js"));
const sum = async (names: string[]) =>
  (await Promise.all(names.map(sizeOf))).reduce((total, size) => total + size, 0);

const [home, total] = [await sum(atHome), await sum(all)];
const kilobytes = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KB`;
console.log(
  `explorer: ${kilobytes(home)} of JavaScript on the home page, ${kilobytes(total)} in total (gzip)`,
);
if (atHome.length === 0 || home > mostAtHome || total > mostInTotal) {
  console.error(`at most ${kilobytes(mostAtHome)} and ${kilobytes(mostInTotal)}`);
  process.exitCode = 1;
}
