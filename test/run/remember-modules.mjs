/*
 * Loaded by Node before a program of ours (`--import`). Ponder loads 3,000 modules of its packages, and half of the time that
 * this takes goes into finding them. So the first one writes down where it found each, and those after it read that.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = process.env.MODULES_FILE ?? "";
const packages = "/node_modules/";
const known = read();
let added = 0;

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? "";
    if (!parent.includes(packages) || specifier.startsWith("node:")) return next(specifier, context);
    const folder = parent.slice(0, parent.lastIndexOf("/"));
    const key = `${context.conditions.join()} ${folder} ${specifier}`;
    const found = known[key];
    if (found !== undefined) {
      const { importAttributes } = context;
      return { url: found[0], format: found[1] ?? undefined, importAttributes, shortCircuit: true };
    }
    const result = next(specifier, context);
    if (result.url.includes(packages)) {
      known[key] = [result.url, result.format];
      added++;
    }
    return result;
  },
});

// Once nothing has been added for a second, which keeps no program from ending, or when it ends before.
let addedBefore = 0;
setInterval(() => {
  if (added === addedBefore) save();
  addedBefore = added;
}, 1_000).unref();
process.on("exit", save);

function read() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

function save() {
  if (added === 0) return;
  added = 0;
  try {
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ ...read(), ...known }));
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // The run is over, and its folder is gone.
  }
}
