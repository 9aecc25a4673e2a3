/*
 * Loaded by Node before a program of ours (`--import`). Ponder loads 3,000 modules of its packages, and half of the time that
 * this takes goes into finding them. So the first one writes down where it found each, and those after it read that.
 */
import { registerHooks } from "node:module";
import path from "node:path";
import { isMainThread } from "node:worker_threads";
import { keptJson } from "./kept-json.mjs";

const packages = "/node_modules/";
const project = new URL("../../", import.meta.url).href;
const [, script = "", command] = process.argv;

// Its threads load so little that they are quicker without.
if (isMainThread) remember();

function remember() {
  // A file for each program: most load few modules, and would have to read the thousands that Ponder loads.
  const found = keptJson(`${process.env.MODULES_FILE}.${path.basename(script)}`);
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? "";
      const folder = lookedUpFrom(parent, specifier);
      if (folder === undefined) return next(specifier, context);
      const key = `${context.conditions.join()} ${folder} ${specifier}`;
      const module = found.get(key);
      if (module !== undefined) {
        const { importAttributes } = context;
        return { url: module[0], format: module[1] ?? undefined, importAttributes, shortCircuit: true };
      }
      const result = next(specifier, context);
      if (result.url.includes(packages)) found.add(key, [result.url, result.format]);
      return result;
    },
  });
}

/** The folder on which it depends what the module is. Undefined for one that is none of a package. */
function lookedUpFrom(parent, specifier) {
  if (specifier.startsWith("node:")) return undefined;
  if (parent.includes(packages)) return parent.slice(0, parent.lastIndexOf("/"));
  // Our own files all find packages in the same folder.
  return parent.startsWith(project) && /^[a-z@][^:]*$/.test(specifier) ? project : undefined;
}

if (isMainThread && command === "dev" && /\/ponder\/dist\/.*\/ponder\.js$/.test(script)) {
  const { rememberCompiledFiles } = await import("./remember-compiled-files.mjs");
  await rememberCompiledFiles(script);
}
