/*
 * Node loads this before one of our programs (`--import`). Ponder loads 3,000 modules of packages, and half of that time goes into
 * resolving them. So the first process caches where each one is, and later ones read that.
 */
import { flushCompileCache, registerHooks } from "node:module";
import path from "node:path";
import { isMainThread } from "node:worker_threads";
import { openJsonCache } from "./json-cache.mjs";

const packages = "/node_modules/";
const project = new URL("../../", import.meta.url).href;
const [, script = "", command] = process.argv;

// Worker threads load so few modules that they are quicker without the cache.
if (isMainThread) remember();

function remember() {
  // One file per program: most load few modules, and needn't read the thousands that Ponder loads.
  const found = openJsonCache(`${process.env.MODULES_FILE}.${path.basename(script)}`);
  let imports = 0;
  registerHooks({
    resolve(specifier, context, next) {
      imports++;
      const parent = context.parentURL ?? "";
      const folder = resolutionFolder(parent, specifier);
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

  // By itself, Node saves what it has compiled when it exits. Services run for minutes, and most programs of a run are killed.
  let [importsBefore, importsSaved] = [0, 0];
  setInterval(() => {
    if (imports === importsBefore && imports !== importsSaved) {
      flushCompileCache();
      importsSaved = imports;
    }
    importsBefore = imports;
  }, 1_000).unref();
}

/** The folder that decides how the specifier is resolved. Undefined if it doesn't name a module of a package. */
function resolutionFolder(parent, specifier) {
  if (specifier.startsWith("node:")) return undefined;
  if (parent.includes(packages)) return parent.slice(0, parent.lastIndexOf("/"));
  // Our own files all find packages in the same folder.
  return parent.startsWith(project) && /^[a-z@][^:]*$/.test(specifier) ? project : undefined;
}

if (isMainThread && command === "dev" && /\/ponder\/dist\/.*\/ponder\.js$/.test(script)) {
  const { rememberCompiledFiles } = await import("./remember-compiled-files.mjs");
  await rememberCompiledFiles(script);
}
